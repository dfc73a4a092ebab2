package suite

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestTextsAreWhatStandsBetweenTheFences(t *testing.T) {
	suite := read(t, "# Title\n\n## one\n\nIt shows\n`this`.\n\n```yaml\na: 1\n\n```\n\n````yaml-ish\n````\n")
	if one := suite.Cases[0]; len(suite.Cases) != 1 || one.Name != "one" || string(one.Text.Data) != "a: 1\n\n" {
		t.Errorf("got %+v", suite.Cases)
	}
}

func TestFencesMayBeLongerThanThoseWithin(t *testing.T) {
	suite := read(t, "## one\n\nA fence.\n\n````yaml\na: |\n  x\n```\n## no heading\n````\n\n## two\n\nNone.\n\n```json\n{}\n```\n")
	if got, want := string(suite.Cases[0].Text.Data), "a: |\n  x\n```\n## no heading\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if two := suite.Cases[1]; filepath.Base(two.Text.File) != "two.json" || len(suite.Cases) != 2 {
		t.Errorf("got %+v", suite.Cases)
	}
}

func TestAnUpdateHasTwoTexts(t *testing.T) {
	suite := read(t, "## one\n\nAn update.\n\n```yaml old\na: 1\n```\n\n```yaml new unterminated\na: 2\n```\n")
	one := suite.Cases[0]
	if string(one.Stored.Data) != "a: 1\n" || string(one.Text.Data) != "a: 2" || filepath.Base(one.Text.File) != "one.new.yaml" {
		t.Errorf("got %+v %+v", one.Stored, one.Text)
	}
}

func TestATextMayBeInAFile(t *testing.T) {
	folder := t.TempDir()
	write(t, filepath.Join(folder, "one.yaml"), "a: \xff\r\n")
	path := filepath.Join(folder, "suite.md")
	write(t, path, "## one\n\nBytes.\n\n```yaml from=one.yaml\n```\n")
	suite, err := Read(path)
	if err != nil || string(suite.Cases[0].Text.Data) != "a: \xff\r\n" {
		t.Errorf("got %+v, %v", suite, err)
	}
	write(t, path, "## one\n\nBytes.\n\n```yaml from=two.yaml\n```\n")
	if _, err := Read(path); err == nil || !strings.Contains(err.Error(), "suite.md:5: ") {
		t.Errorf("got %v", err)
	}
}

func TestAnswersGoWhereTheyBelong(t *testing.T) {
	text := "# Title\n\n## one\n\nNew.\n\n```yaml\na: 1\n```\n\n```findings\nx\n```\n\n## two\n\nOld.\n\n```yaml\nb: 1\n```\n\n```json server\n{}\n```\n"
	want := strings.Replace(text, "a: 1\n```\n", "a: 1\n```\n\n```json server\n1\n```\n", 1)
	want = strings.Replace(want, "```json server\n{}\n```", "````json server\n\"```\"\n````", 1)
	if got := string(read(t, text).With([][]byte{[]byte("1\n"), []byte("\"```\"\n")})); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if again := read(t, want); string(again.Cases[1].Server) != "\"```\"\n" {
		t.Errorf("got %q", again.Cases[1].Server)
	}
}

func TestOtherFormsAreRefused(t *testing.T) {
	for problem, text := range map[string]string{
		":3: an open block":               "## one\n\n```yaml\na: 1\n",
		":1: a block before":              "```yaml\n```\n",
		":5: a text \"\" too many in one": "## one\n\n```yaml\n```\n```yaml\n```\n",
		":3: a block that is b":           "## one\n\n```yaml a b\n```\n",
	} {
		path := filepath.Join(t.TempDir(), "suite.md")
		write(t, path, text)
		if _, err := Read(path); err == nil || !strings.Contains(err.Error(), problem) {
			t.Errorf("got %v, want %s", err, problem)
		}
	}
}

func read(t *testing.T, text string) Suite {
	t.Helper()
	path := filepath.Join(t.TempDir(), "suite.md")
	write(t, path, text)
	suite, err := Read(path)
	if err != nil {
		t.Fatal(err)
	}
	return suite
}

func write(t *testing.T, file, text string) {
	t.Helper()
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}
