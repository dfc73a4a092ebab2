package golden

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"crd-ls/tests/oracle/internal/suite"
)

// suffix replaces the extension of a fixture in the name of its golden.
const suffix = ".expect.json"

// An update is a pair of files: the stored definition, which has no golden, and
// the definition that replaces it.
const (
	stored = ".old.yaml"
	update = ".new.yaml"
)

// fixtures are the extensions of fixtures.
var fixtures = []string{".yaml", ".yml", ".json"}

// source is a text to validate, from a file or from a suite.
type source struct {
	// file is its path, or the path that it would have beside the suite.
	file string
	text []byte
	// stored is the definition that it replaces, or nil.
	stored []byte
	// inSuite is the case that contains it, or nil.
	inSuite *suite.Case
}

// found has the sources below a directory.
type found struct {
	// files are texts that are not in a suite.
	files   []source
	suites  []suite.Suite
	goldens []string
}

// sources lists the sources below a directory, in order.
func sources(dir string) (found, error) {
	var all found
	var texts []string
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil || entry.IsDir():
			return err
		case filepath.Ext(path) == ".md" && entry.Name() != "README.md":
			read, err := suite.Read(path)
			all.suites = append(all.suites, read)
			return err
		case strings.HasSuffix(path, suffix):
			all.goldens = append(all.goldens, path)
		case strings.HasSuffix(path, stored):
		case slices.Contains(fixtures, filepath.Ext(path)):
			texts = append(texts, path)
		}
		return nil
	})
	if err != nil {
		return all, err
	}
	known := map[string]bool{}
	for _, one := range all.inSuites() {
		known[one.file] = true
	}
	for _, path := range texts {
		if known[path] {
			continue
		}
		one, err := fromFile(path)
		if err != nil {
			return all, err
		}
		all.files = append(all.files, one)
	}
	return all, nil
}

func fromFile(path string) (source, error) {
	text, err := os.ReadFile(path)
	one := source{file: path, text: text}
	if name, isUpdate := strings.CutSuffix(path, update); isUpdate && err == nil {
		one.stored, err = os.ReadFile(name + stored)
	}
	return one, err
}

func sourceOf(testCase suite.Case) source {
	one := source{file: testCase.Text.File, text: testCase.Text.Data, inSuite: &testCase}
	if testCase.Stored != nil {
		one.stored = testCase.Stored.Data
	}
	return one
}

// inSuites lists the texts in the suites.
func (f found) inSuites() []source {
	var all []source
	for _, one := range f.suites {
		for _, testCase := range one.Cases {
			all = append(all, sourceOf(testCase))
		}
	}
	return all
}

func (f found) all() []source { return slices.Concat(f.files, f.inSuites()) }

// name is the name of the file.
func (s source) name() string { return filepath.Base(s.file) }

// newest is the golden for the newest release.
func (s source) newest() ([]byte, error) {
	if s.inSuite != nil {
		return s.inSuite.Server, nil
	}
	return os.ReadFile(golden(s.file))
}

// golden is the name of the golden of a file.
func golden(file string) string { return strings.TrimSuffix(file, filepath.Ext(file)) + suffix }
