// Package corpus counts the errors of the API server in a directory of real
// definitions, so that tests on them need no Go.
package corpus

import (
	"bytes"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"

	"crd-ls/tests/oracle/internal/crd"
	"crd-ls/tests/oracle/internal/yamldoc"
)

// Table returns tab-separated lines, one for each YAML file with definitions:
// its path in the directory, and the numbers of definitions, of errors of
// structural schemas, of all errors, and of definitions that do not decode.
func Table(dir string) ([]byte, error) {
	var table bytes.Buffer
	fmt.Fprintln(&table, "path\tdefinitions\tstructural\terrors\tundecoded")
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !slices.Contains([]string{".yaml", ".yml"}, filepath.Ext(path)) {
			return err
		}
		row, err := count(path)
		if err != nil || row.definitions == 0 {
			return err
		}
		name, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		fmt.Fprintf(&table, "%s\t%d\t%d\t%d\t%d\n",
			filepath.ToSlash(name), row.definitions, row.structural, row.errors, row.undecoded)
		return nil
	})
	return table.Bytes(), err
}

type row struct {
	definitions, structural, errors, undecoded int
}

func count(file string) (row, error) {
	docs, err := yamldoc.ReadFile(file)
	if err != nil {
		return row{}, err
	}
	return countIn(file, docs)
}

func countIn(file string, docs []yamldoc.Document) (row, error) {
	var counts row
	definitions, err := crd.Definitions(docs)
	if err != nil {
		return counts, fmt.Errorf("%s: %w", file, err)
	}
	for _, definition := range definitions {
		verdict, err := crd.Create(definition)
		if err != nil {
			return counts, fmt.Errorf("%s: %w", file, err)
		}
		counts.definitions++
		counts.errors += len(verdict.Errors)
		if len(verdict.Decode) > 0 {
			counts.undecoded++
		}
		for _, e := range verdict.Errors {
			if isStructural(e) {
				counts.structural++
			}
		}
	}
	return counts, nil
}
