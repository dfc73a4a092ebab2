package corpus

import (
	"path/filepath"
	"strings"
	"testing"
)

// Every fixture of the check for structural schemas fires it, but for those
// that are named -ok.
func TestIsStructuralOnFixtures(t *testing.T) {
	files, err := filepath.Glob("../../../../fixtures/crd/structural/*.yaml")
	if err != nil {
		t.Fatal(err)
	}
	if len(files) == 0 {
		t.Fatal("no fixtures")
	}
	for _, file := range files {
		counts, err := count(file)
		if err != nil {
			t.Fatal(err)
		}
		accepted := strings.HasSuffix(file, "-ok.yaml")
		if accepted != (counts.structural == 0) {
			t.Errorf("%s: %d structural errors", filepath.Base(file), counts.structural)
		}
	}
}
