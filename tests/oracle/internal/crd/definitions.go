package crd

import (
	"bytes"
	"encoding/json"
	"fmt"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	"sigs.k8s.io/yaml"

	"crd-ls/tests/oracle/internal/yamldoc"
)

// Kind is the kind that this package handles.
const Kind = "CustomResourceDefinition"

// Definition is one CustomResourceDefinition of a file.
type Definition struct {
	// Document counts the non-empty documents of the file from 0.
	Document int
	// Item is the place in the document's list, or nil outside lists.
	Item *int
	// Line is the 1-based line on which the document starts.
	Line int
	Data []byte
}

// Definitions returns the definitions among documents. Lists are split as
// clients split them before they send them: each item is a request.
func Definitions(docs []yamldoc.Document) ([]Definition, error) {
	var found []Definition
	for _, doc := range docs {
		if isDefinition(doc) {
			found = append(found, Definition{Document: doc.Index, Line: doc.Line, Data: doc.Data})
			continue
		}
		items, err := listItems(doc)
		if err != nil {
			return nil, err
		}
		found = append(found, items...)
	}
	return found, nil
}

// isDefinition reports whether a document is a CustomResourceDefinition or, if it
// cannot be parsed, looks like one.
func isDefinition(doc yamldoc.Document) bool {
	gvk := doc.TypeMeta()
	if gvk.Empty() && doc.ParseError() != nil {
		return bytes.Contains(doc.Data, []byte("kind: "+Kind))
	}
	return gvk.Group == apiextensions.GroupName && gvk.Kind == Kind
}

// listItems returns the definitions in a v1 List or CustomResourceDefinitionList.
func listItems(doc yamldoc.Document) ([]Definition, error) {
	gvk := doc.TypeMeta()
	generic := gvk.Group == "" && gvk.Kind == "List"
	specific := gvk.Group == apiextensions.GroupName && gvk.Kind == Kind+"List"
	if !generic && !specific {
		return nil, nil
	}
	var list struct {
		Items []json.RawMessage `json:"items"`
	}
	if err := yaml.Unmarshal(doc.Data, &list); err != nil {
		return nil, fmt.Errorf("line %d: list: %w", doc.Line, err)
	}
	var found []Definition
	for i, data := range list.Items {
		if isDefinition(yamldoc.Document{Data: data}) {
			found = append(found, Definition{Document: doc.Index, Item: &i, Line: doc.Line, Data: data})
		}
	}
	return found, nil
}
