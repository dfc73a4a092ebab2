package corpus

import (
	"strings"

	"crd-ls/tests/oracle/internal/crd"
)

// structuralDetails are the texts that only the API server's check for
// structural schemas reports, with a field if the text alone is ambiguous.
var structuralDetails = map[string]string{
	"must be specified":                                         "items",
	"must not be used at the root":                              "additionalProperties",
	"must not be empty at the root":                             "type",
	"must not be empty for specified array items":               "type",
	"must not be empty for specified object fields":             "type",
	"must be object if x-kubernetes-embedded-resource is true":  "type",
	"must not be used if x-kubernetes-embedded-resource is set": "additionalProperties",
	"must be object at the root":                                "type",
	"must be string":                                            "type",
	"must be object":                                            "type",
	"must not specify anything other than name and generateName, but metadata is implicitly specified":         "properties[metadata]",
	"must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields": "properties",
	"must be false if x-kubernetes-int-or-string is true":                                                      "",
	"must be empty to be structural":            "",
	"must be undefined to be structural":        "",
	"must be false to be structural":            "",
	"must not be specified in a nested context": "properties[metadata]",
}

// isStructural reports whether an error comes from the check for structural schemas.
func isStructural(e crd.FieldError) bool {
	if strings.HasPrefix(e.Detail, "because it is defined in ") {
		return true
	}
	if strings.HasPrefix(e.Detail, "must be a valid regular expression, but isn't: ") {
		return strings.HasSuffix(e.Field, ".pattern")
	}
	field, known := structuralDetails[e.Detail]
	return known && (field == "" || strings.HasSuffix(e.Field, "."+field))
}
