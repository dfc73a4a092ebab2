package yamldoc

import (
	"fmt"
	"testing"
)

func TestSplit(t *testing.T) {
	cases := map[string]string{
		"":                            "[]",
		"# nothing\n":                 "[]",
		"a: 1":                        `["a: 1" line 1]`,
		"---\na: 1\n---\nb: 2\n":      `["a: 1\n" line 2 "b: 2\n" line 4]`,
		"a: 1\n--- # next\r\nb: 2":    `["a: 1\n" line 1 "b: 2" line 3]`,
		"a: 1\n---\n# empty\n---\nb:": `["a: 1\n" line 1 "b:" line 5]`,
		"--- {a: 1}\n":                `["--- {a: 1}\n" line 1]`,
		"a: |\n  x\n  ---\n":          `["a: |\n  x\n  ---\n" line 1]`,
		"%YAML 1.1\n---\na: 1\n":      `["a: 1\n" line 3]`,
		"# CR alone\ra: 1\r":          `["# CR alone\ra: 1\r" line 1]`,
	}
	for text, want := range cases {
		docs := []string{}
		for i, doc := range Split("", []byte(text)) {
			if doc.Index != i {
				t.Errorf("%q: document %d has index %d", text, i, doc.Index)
			}
			docs = append(docs, fmt.Sprintf("%q line %d", doc.Data, doc.Line))
		}
		if got := fmt.Sprint(docs); got != want {
			t.Errorf("%q: got %s, want %s", text, got, want)
		}
	}
}
