package golden

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const definition = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {plural: widgets, kind: Widget}
  versions:
    - {name: v1, served: true, storage: true, schema: {openAPIV3Schema: {}}}
`

func TestDirectoryWritesThenAgrees(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "one.yaml"), definition)
	write(t, filepath.Join(dir, "two.yaml"), definition+"---\n"+definition)

	expectSame(t, dir, true, false)
	expectSame(t, dir, false, false)
	expectSame(t, dir, true, true)
	one := read(t, filepath.Join(dir, "one.expect.json"))
	line := `    {"type": "FieldValueRequired", "field": "spec.validation.openAPIV3Schema.type", "detail": "must not be empty at the root"}`
	if want := "{\n  \"errors\": [\n" + line + "\n  ]\n}\n"; one != want {
		t.Errorf("got %s, want %s", one, want)
	}
	if two := read(t, filepath.Join(dir, "two.expect.json")); !strings.Contains(two, `"document": 1,`) {
		t.Errorf("no second document in %s", two)
	}
}

func TestDirectoryReportsChangedAndStaleGoldens(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "one.yaml"), definition)
	expectSame(t, dir, false, false)

	write(t, filepath.Join(dir, "one.expect.json"), "{}\n")
	expectSame(t, dir, true, false)
	expectSame(t, dir, false, false)

	write(t, filepath.Join(dir, "gone.expect.json"), "{}\n")
	expectSame(t, dir, true, false)
	expectSame(t, dir, false, false)
	expectSame(t, dir, true, true)
}

func TestDirectoryWritesIntoSuites(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "suite.md")
	text := "# Suite\n\n## one\n\nNo type.\n\n```yaml\n" + definition + "```\n\n## two\n\nAn update.\n\n```yaml old\n" + definition +
		"```\n\n```yaml new\n" + definition + "```\n\n## three\n\nA file.\n\n```yaml from=three.yaml\n```\n"
	write(t, file, text)
	write(t, filepath.Join(dir, "three.yaml"), "# nothing\r\n")

	expectSame(t, dir, true, false)
	if got := read(t, file); got != text {
		t.Errorf("a check writes %s", got)
	}
	expectSame(t, dir, false, false)
	expectSame(t, dir, true, true)
	written := read(t, file)
	for _, want := range []string{
		"```\n\n```json server\n{\n  \"errors\": [\n    {\"type\": \"FieldValueRequired\"",
		"from=three.yaml\n```\n\n```json server\n{\n  \"documents\": []\n}\n```\n",
	} {
		if !strings.Contains(written, want) {
			t.Errorf("no %q in %s", want, written)
		}
	}
	if count := strings.Count(written, "```json server\n"); count != 3 {
		t.Errorf("%d answers in %s", count, written)
	}
	write(t, file, strings.Replace(written, "must not be empty", "may be empty", 1))
	expectSame(t, dir, true, false)
	expectSame(t, dir, false, false)
	if got := read(t, file); got != written {
		t.Errorf("got %s, want %s", got, written)
	}
}

func expectSame(t *testing.T, dir string, check, want bool) {
	t.Helper()
	var out strings.Builder
	same, err := Directory(dir, check, false, &out)
	if err != nil {
		t.Fatal(err)
	}
	if same != want {
		t.Errorf("check %v: up to date is %v, want %v:\n%s", check, same, want, out.String())
	}
	if same == (out.Len() > 0) {
		t.Errorf("up to date is %v, but printed %q", same, out.String())
	}
}

func write(t *testing.T, file, text string) {
	t.Helper()
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func read(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
