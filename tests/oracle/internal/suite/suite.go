// Package suite reads the cases in a Markdown file, and writes the server's
// answers into it. ../../../../docs/testing.md describes the form.
//
// Suites are read line by line: headings and fences begin a line, and a closing
// fence has as many backticks as the opening one. The tests in Rust read the same
// suites with CommonMark, and reject any other form.
package suite

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

const (
	heading = "## "
	fence   = "```"
	server  = "json server"
)

// Suite is a file of cases.
type Suite struct {
	Path  string
	Cases []Case
	text  []byte
}

// Case is the part of a suite below one heading.
type Case struct {
	Name string
	// Text is the YAML or JSON, Stored the text that it replaces in an update.
	Text, Stored *Text
	// Server is the recorded answer, or nil.
	Server []byte
	// answer is the place of the answer in the suite, or the place for it.
	answer span
}

// Text is a text, as if it were a file.
type Text struct {
	// File is the path of the file that it is, or would be.
	File string
	Data []byte
}

type span struct{ start, end int }

// Read reads the suite at path.
func Read(path string) (Suite, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return Suite{}, err
	}
	suite := Suite{Path: path, text: text}
	for pos, line := 0, 1; pos < len(text); {
		row := lineAt(text, pos)
		if name, isHeading := strings.CutPrefix(row, heading); isHeading {
			suite.Cases = append(suite.Cases, Case{Name: strings.TrimSpace(name)})
		}
		if !strings.HasPrefix(row, fence) {
			pos, line = pos+len(row)+1, line+1
			continue
		}
		block, body := span{start: pos}, span{}
		if body, block.end, err = closing(text, pos); err == nil {
			err = suite.add(row, text[body.start:body.end], block)
		}
		if err != nil {
			return Suite{}, fmt.Errorf("%s:%d: %w", path, line, err)
		}
		line += bytes.Count(text[pos:block.end], []byte("\n"))
		pos = block.end
	}
	for _, one := range suite.Cases {
		if one.Text == nil {
			return Suite{}, fmt.Errorf("%s: %s has no text", path, one.Name)
		}
	}
	return suite, nil
}

// closing returns the body of the block that opens at pos, and the end of the
// block.
func closing(text []byte, pos int) (body span, end int, err error) {
	opening := lineAt(text, pos)
	fence := opening[:len(opening)-len(strings.TrimLeft(opening, "`"))]
	body.start = pos + len(opening) + 1
	for at := body.start; at < len(text); {
		row := lineAt(text, at)
		if row == fence {
			body.end = at
			return body, min(at+len(row)+1, len(text)), nil
		}
		at += len(row) + 1
	}
	return body, 0, fmt.Errorf("an open block")
}

// lineAt is the line that starts at pos, without its end.
func lineAt(text []byte, pos int) string {
	row, _, _ := bytes.Cut(text[pos:], []byte("\n"))
	return string(row)
}

// add adds the block that opens with row to the last case.
func (s *Suite) add(row string, body []byte, block span) error {
	if len(s.Cases) == 0 {
		return fmt.Errorf("a block before the first case")
	}
	last := &s.Cases[len(s.Cases)-1]
	info := strings.TrimLeft(row, "`")
	words := strings.Split(info, " ")
	part := ""
	for _, word := range words[1:] {
		file, isElsewhere := strings.CutPrefix(word, "from=")
		switch {
		case isElsewhere:
			data, err := os.ReadFile(filepath.Join(filepath.Dir(s.Path), file))
			if err != nil {
				return err
			}
			body = data
		case word == "unterminated":
			body = bytes.TrimSuffix(body, []byte("\n"))
		case part == "":
			part = word
		default:
			return fmt.Errorf("a block that is %s", word)
		}
	}
	if info == server {
		last.Server, last.answer = body, block
		return nil
	}
	if language := words[0]; language == "yaml" || language == "json" {
		if last.Server == nil {
			last.answer = span{block.end, block.end}
		}
		return last.addText(part, &Text{s.file(last.Name, part, language), body})
	}
	return nil
}

func (s *Suite) file(name, part, language string) string {
	if part != "" {
		name += "." + part
	}
	return filepath.Join(filepath.Dir(s.Path), name+"."+language)
}

// addText adds a text: the definition, or one of the two of an update.
func (c *Case) addText(part string, text *Text) error {
	switch {
	case (part == "" || part == "new") && c.Text == nil:
		c.Text = text
	case part == "old" && c.Stored == nil:
		c.Stored = text
	default:
		return fmt.Errorf("a text %q too many in %s", part, c.Name)
	}
	return nil
}

// With is the suite with an answer for each of its cases.
func (s Suite) With(answers [][]byte) []byte {
	var text bytes.Buffer
	pos := 0
	for i, c := range s.Cases {
		text.Write(s.text[pos:c.answer.start])
		if c.Server == nil {
			text.WriteString("\n")
		}
		text.WriteString(Block(answers[i]))
		pos = c.answer.end
	}
	text.Write(s.text[pos:])
	return text.Bytes()
}

// Block is an answer between fences that are longer than any in the answer.
func Block(answer []byte) string {
	fence := fence
	for bytes.Contains(answer, []byte(fence)) {
		fence += "`"
	}
	return fence + server + "\n" + string(answer) + fence + "\n"
}
