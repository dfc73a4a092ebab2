// Package yamldoc splits a YAML stream into its documents, with the start of each.
package yamldoc

import (
	"bytes"
	"os"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/yaml"
)

// Document is one non-empty document of a YAML (or JSON) stream.
type Document struct {
	File string
	// Index counts the non-empty documents of the file from 0.
	Index int
	// Line is the 1-based line of the first line after the "---" separator.
	Line int
	Data []byte
}

// ReadFile returns the non-empty documents of a file.
func ReadFile(path string) ([]Document, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	return Split(path, data), nil
}

// Split cuts data at the separator lines that Kubernetes clients recognise:
// "---" at the start of a line, followed by nothing but blanks or a comment.
// Only directives and comments before a separator are not a document here, but
// those clients send them, and the server rejects them.
func Split(file string, data []byte) []Document {
	var docs []Document
	start, startLine := 0, 1
	flush := func(end int) {
		if chunk := data[start:end]; hasContent(chunk) {
			docs = append(docs, Document{File: file, Index: len(docs), Line: startLine, Data: chunk})
		}
	}
	for pos, line := 0, 1; pos < len(data); line++ {
		next := len(data)
		if i := bytes.IndexByte(data[pos:], '\n'); i >= 0 {
			next = pos + i + 1
		}
		if isSeparator(data[pos:next]) {
			flush(pos)
			start, startLine = next, line+1
		}
		pos = next
	}
	flush(len(data))
	return docs
}

// ParseError returns the error that makes a document invalid YAML, or nil.
func (d Document) ParseError() error {
	_, err := yaml.YAMLToJSON(d.Data)
	return err
}

// TypeMeta returns the group, version and kind in a document, if it is readable.
func (d Document) TypeMeta() schema.GroupVersionKind {
	var meta struct {
		APIVersion string `json:"apiVersion"`
		Kind       string `json:"kind"`
	}
	if err := yaml.Unmarshal(d.Data, &meta); err != nil {
		return schema.GroupVersionKind{}
	}
	return schema.FromAPIVersionAndKind(meta.APIVersion, meta.Kind)
}

func isSeparator(line []byte) bool {
	rest, found := bytes.CutPrefix(line, []byte("---"))
	rest = bytes.TrimSpace(rest)
	return found && (len(rest) == 0 || rest[0] == '#')
}

// hasContent reports whether a chunk has more than blanks, comments and
// directives. In YAML, a carriage return alone also ends a line.
func hasContent(chunk []byte) bool {
	lines := bytes.FieldsFunc(chunk, func(r rune) bool { return r == '\n' || r == '\r' })
	for _, line := range lines {
		if line = bytes.TrimSpace(line); len(line) > 0 && line[0] != '#' && line[0] != '%' {
			return true
		}
	}
	return false
}
