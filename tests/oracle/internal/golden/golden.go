// Package golden records the API server's verdicts on the fixtures.
package golden

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"regexp"
	"slices"
	"strings"

	"crd-ls/tests/oracle/internal/crd"
	"crd-ls/tests/oracle/internal/suite"
	"crd-ls/tests/oracle/internal/yamldoc"
)

// Directory writes the goldens of all fixtures below a directory, or with check
// only compares them, and returns whether they were up to date. Differences go to
// out. With remarks, the goldens also contain warnings and conditions.
func Directory(dir string, check, remarks bool, out io.Writer) (bool, error) {
	found, err := sources(dir)
	if err != nil {
		return false, err
	}
	same := true
	owner := map[string]string{}
	for _, source := range found.files {
		name := golden(source.file)
		if other := owner[name]; other != "" {
			return false, fmt.Errorf("%s and %s would share a golden", other, source.file)
		}
		owner[name] = source.file
		text, err := Text(source, remarks)
		if err != nil {
			return false, fmt.Errorf("%s: %w", source.file, err)
		}
		unchanged, err := Record(name, text, check, out)
		if err != nil {
			return false, err
		}
		same = same && unchanged
	}
	for _, suite := range found.suites {
		unchanged, err := recordSuite(suite, check, remarks, out)
		if err != nil {
			return false, err
		}
		same = same && unchanged
	}
	for _, name := range found.goldens {
		if owner[name] != "" {
			continue
		}
		same = false
		fmt.Fprintf(out, "%s: no such fixture\n", name)
		if check {
			continue
		}
		if err := os.Remove(name); err != nil {
			return false, err
		}
	}
	return same, nil
}

// recordSuite writes or compares the cases of a suite, as [Record] does for a file.
func recordSuite(file suite.Suite, check, remarks bool, out io.Writer) (bool, error) {
	same := true
	var answers [][]byte
	for _, one := range file.Cases {
		answer, err := Text(sourceOf(one), remarks)
		if err != nil {
			return false, fmt.Errorf("%s: %s: %w", file.Path, one.Name, err)
		}
		if !bytes.Equal(answer, one.Server) {
			same = false
			printDifference(out, file.Path+": "+one.Name, string(one.Server), string(answer))
		}
		answers = append(answers, answer)
	}
	if same || check {
		return same, nil
	}
	return false, os.WriteFile(file.Path, file.With(answers), 0o644)
}

// difference is the answer of another release to a fixture.
type difference struct {
	Fixture string          `json:"fixture"`
	Answer  json.RawMessage `json:"answer"`
}

// Differences writes to file, as one JSON object per line, the answers of the
// linked release that differ from the goldens of the fixtures, or with check only
// compares them, and returns whether they were up to date.
func Differences(file string, dirs []string, check bool, out io.Writer) (bool, error) {
	var all []source
	for _, dir := range dirs {
		found, err := sources(dir)
		if err != nil {
			return false, err
		}
		all = append(all, found.all()...)
	}
	slices.SortFunc(all, func(one, other source) int { return strings.Compare(one.name(), other.name()) })
	var lines bytes.Buffer
	encoder := json.NewEncoder(&lines)
	encoder.SetEscapeHTML(false)
	for _, source := range all {
		answer, err := Text(source, true)
		if err != nil {
			return false, fmt.Errorf("%s: %w", source.file, err)
		}
		newest, err := source.newest()
		if err != nil {
			return false, err
		}
		if bytes.Equal(answer, newest) {
			continue
		}
		if err := encoder.Encode(difference{source.name(), answer}); err != nil {
			return false, err
		}
	}
	return Record(file, lines.Bytes(), check, out)
}

// entry is the verdict on one of several definitions of a file.
type entry struct {
	Document int  `json:"document"`
	Item     *int `json:"item,omitempty"`
	crd.Verdict
}

// Text is the golden of a fixture: the verdict on its only definition, or
// {"documents": [...]} with a verdict for each of no or several definitions.
func Text(source source, remarks bool) ([]byte, error) {
	docs, definitions, err := definitionsOf(source.file, source.text)
	if err != nil {
		return nil, err
	}
	judge := crd.Create
	if source.stored != nil {
		_, old, err := definitionsOf(source.file, source.stored)
		if err != nil {
			return nil, err
		}
		if len(old) != 1 {
			return nil, fmt.Errorf("what %s replaces holds %d definitions, not one", source.file, len(old))
		}
		judge = func(definition crd.Definition) (crd.Verdict, error) { return crd.Update(definition, old[0]) }
	}
	entries := []entry{}
	for _, definition := range definitions {
		verdict, err := judge(definition)
		if err != nil {
			return nil, err
		}
		if !remarks {
			verdict = verdict.WithoutRemarks()
		}
		entries = append(entries, entry{definition.Document, definition.Item, verdict})
	}
	if len(docs) == 1 && len(entries) == 1 && entries[0].Item == nil {
		return encode(entries[0].Verdict)
	}
	return encode(struct {
		Documents []entry `json:"documents"`
	}{entries})
}

func definitionsOf(file string, text []byte) ([]yamldoc.Document, []crd.Definition, error) {
	docs := yamldoc.Split(file, text)
	definitions, err := crd.Definitions(docs)
	return docs, definitions, err
}

// fieldError matches an indented error, so that it can be written on a single line.
var fieldError = regexp.MustCompile(`\{\n +("type": .*)\n +("field": .*)\n +(?:("value": .*)\n +)?("detail": .*)\n +\}`)

func encode(v any) ([]byte, error) {
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	err := encoder.Encode(v)
	lines := fieldError.ReplaceAllFunc(text.Bytes(), func(found []byte) []byte {
		parts := slices.DeleteFunc(fieldError.FindSubmatch(found)[1:], func(part []byte) bool { return len(part) == 0 })
		return slices.Concat([]byte("{"), bytes.Join(parts, []byte(" ")), []byte("}"))
	})
	return lines, err
}

// Record writes a file, or with check only compares it, and returns whether it was
// up to date. Differences go to out.
func Record(file string, text []byte, check bool, out io.Writer) (bool, error) {
	old, err := os.ReadFile(file)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return false, err
	}
	if err == nil && bytes.Equal(old, text) {
		return true, nil
	}
	printDifference(out, file, string(old), string(text))
	if check {
		return false, nil
	}
	return false, os.WriteFile(file, text, 0o644)
}

// printDifference prints the lines that only one of two texts has. The texts
// are sorted lists, so the output is readable without alignment.
func printDifference(out io.Writer, file, old, text string) {
	fmt.Fprintln(out, file)
	before, after := strings.Split(old, "\n"), strings.Split(text, "\n")
	for _, line := range without(before, after) {
		fmt.Fprintln(out, "  -", line)
	}
	for _, line := range without(after, before) {
		fmt.Fprintln(out, "  +", line)
	}
}

// without returns the lines without one equal line for each of others.
func without(lines, others []string) []string {
	left := map[string]int{}
	for _, line := range others {
		left[line]++
	}
	var rest []string
	for _, line := range lines {
		if left[line] == 0 {
			rest = append(rest, line)
			continue
		}
		left[line]--
	}
	return rest
}
