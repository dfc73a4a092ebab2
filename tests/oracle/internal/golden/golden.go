// Package golden records the API server's verdicts beside the fixtures.
package golden

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"crd-ls/tests/oracle/internal/crd"
	"crd-ls/tests/oracle/internal/yamldoc"
)

// suffix replaces the extension of a fixture in the name of its golden.
const suffix = ".expect.json"

// An update is a pair of files: the stored definition, which has no golden of its
// own, and what it is replaced by.
const (
	stored = ".old.yaml"
	update = ".new.yaml"
)

// fixtures are the extensions of fixtures.
var fixtures = []string{".yaml", ".yml", ".json"}

// Directory writes the goldens of all fixtures below a directory, or with check
// only compares them, and says whether they were up to date. Differences go to
// out. With remarks they hold warnings and conditions as well.
func Directory(dir string, check, remarks bool, out io.Writer) (bool, error) {
	sources, recorded, err := files(dir)
	if err != nil {
		return false, err
	}
	same := true
	owner := map[string]string{}
	for _, source := range sources {
		name := strings.TrimSuffix(source, filepath.Ext(source)) + suffix
		if other := owner[name]; other != "" {
			return false, fmt.Errorf("%s and %s would share a golden", other, source)
		}
		owner[name] = source
		text, err := Text(source, remarks)
		if err != nil {
			return false, fmt.Errorf("%s: %w", source, err)
		}
		unchanged, err := Record(name, text, check, out)
		if err != nil {
			return false, err
		}
		same = same && unchanged
	}
	for _, name := range recorded {
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

// files lists the fixtures and the goldens below a directory, in order.
func files(dir string) (sources, recorded []string, err error) {
	err = filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil || entry.IsDir():
			return err
		case strings.HasSuffix(path, suffix):
			recorded = append(recorded, path)
		case strings.HasSuffix(path, stored):
		case slices.Contains(fixtures, filepath.Ext(path)):
			sources = append(sources, path)
		}
		return nil
	})
	return sources, recorded, err
}

// difference is the answer of another release to a fixture.
type difference struct {
	Fixture string          `json:"fixture"`
	Answer  json.RawMessage `json:"answer"`
}

// Differences writes to file, one JSON object a line, the answers of the linked
// release that differ from the goldens beside the fixtures, or with check only
// compares them, and says whether they were up to date.
func Differences(file string, dirs []string, check bool, out io.Writer) (bool, error) {
	var lines bytes.Buffer
	encoder := json.NewEncoder(&lines)
	encoder.SetEscapeHTML(false)
	for _, dir := range dirs {
		sources, _, err := files(dir)
		if err != nil {
			return false, err
		}
		for _, source := range sources {
			answer, err := Text(source, true)
			if err != nil {
				return false, fmt.Errorf("%s: %w", source, err)
			}
			newest, err := os.ReadFile(strings.TrimSuffix(source, filepath.Ext(source)) + suffix)
			if err != nil {
				return false, err
			}
			if bytes.Equal(answer, newest) {
				continue
			}
			if err := encoder.Encode(difference{filepath.Base(source), answer}); err != nil {
				return false, err
			}
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

// Text is the golden of a fixture: the verdict on its definition, or with none
// or several definitions {"documents": [...]}, a verdict for each.
func Text(file string, remarks bool) ([]byte, error) {
	docs, definitions, err := definitionsOf(file)
	if err != nil {
		return nil, err
	}
	judge := crd.Create
	if name, isUpdate := strings.CutSuffix(file, update); isUpdate {
		_, old, err := definitionsOf(name + stored)
		if err != nil {
			return nil, err
		}
		if len(old) != 1 {
			return nil, fmt.Errorf("%s holds %d definitions, not one", name+stored, len(old))
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

func definitionsOf(file string) ([]yamldoc.Document, []crd.Definition, error) {
	docs, err := yamldoc.ReadFile(file)
	if err != nil {
		return nil, nil, err
	}
	definitions, err := crd.Definitions(docs)
	return docs, definitions, err
}

// fieldError matches an indented error, to put it on one line of its own.
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

// Record writes a file, or with check only compares it, and says whether it was
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
// are sorted lists, so that no alignment is needed to read it.
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

// without returns the lines that are not matched one to one by others.
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
