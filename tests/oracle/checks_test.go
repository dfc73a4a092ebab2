package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// The functions and files that server/api/checks.tsv names are in the modules from which this program is built.
func TestChecksNameFunctionsThatExist(t *testing.T) {
	table, err := os.ReadFile("../../server/api/checks.tsv")
	if err != nil {
		t.Fatal(err)
	}
	folders := map[string]string{}
	rows := 0
	for _, row := range strings.Split(strings.TrimSpace(string(table)), "\n") {
		columns := strings.Split(row, "\t")
		if strings.HasPrefix(row, "#") || columns[0] == "number" {
			continue
		}
		number, function, file := columns[0], columns[2], columns[3]
		module, path, _ := strings.Cut(file, "/")
		if _, known := folders[module]; !known {
			said, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "k8s.io/"+module).Output()
			if err != nil {
				t.Fatalf("check %s: no module k8s.io/%s: %v", number, module, err)
			}
			folders[module] = strings.TrimSpace(string(said))
		}
		source, err := os.ReadFile(filepath.Join(folders[module], path))
		if err != nil {
			t.Errorf("check %s: %v", number, err)
			continue
		}
		receiver, name, isMethod := strings.Cut(function, ".")
		pattern := `(?m)^func ` + regexp.QuoteMeta(function) + `\(`
		if isMethod {
			pattern = `(?m)^func \(\w+ \*?` + regexp.QuoteMeta(receiver) + `\) ` + regexp.QuoteMeta(name) + `\(`
		}
		if !regexp.MustCompile(pattern).Match(source) {
			t.Errorf("check %s: no function %s in %s", number, function, file)
		}
		rows++
	}
	if rows < 180 {
		t.Errorf("only %d rows", rows)
	}
}
