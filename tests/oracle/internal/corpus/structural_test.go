package corpus

import (
	"path/filepath"
	"strings"
	"testing"

	"crd-ls/tests/oracle/internal/suite"
	"crd-ls/tests/oracle/internal/yamldoc"
)

// Every case of the check for structural schemas has one of its errors, except
// those that are named -ok.
func TestIsStructuralOnFixtures(t *testing.T) {
	files, err := filepath.Glob("../../../../fixtures/crd/structural/*.md")
	if err != nil {
		t.Fatal(err)
	}
	cases := 0
	for _, file := range files {
		read, err := suite.Read(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, one := range read.Cases {
			counts, err := countIn(file, yamldoc.Split(one.Text.File, one.Text.Data))
			if err != nil {
				t.Fatal(err)
			}
			accepted := strings.HasSuffix(one.Name, "-ok")
			if accepted != (counts.structural == 0) {
				t.Errorf("%s: %s: %d structural errors", file, one.Name, counts.structural)
			}
			cases++
		}
	}
	if cases < 354 {
		t.Fatalf("only %d cases", cases)
	}
}
