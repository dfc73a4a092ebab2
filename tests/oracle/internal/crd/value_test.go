package crd

import (
	"testing"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

func TestPrintedValueIsWhatTheErrorPrints(t *testing.T) {
	path := field.NewPath("spec", "a")
	text := "x\"\n\u00e4<"
	none := (*string)(nil)
	errors := field.ErrorList{
		field.Invalid(path, text, "detail"),
		field.Invalid(path, &text, "detail"),
		field.Invalid(path, none, "detail"),
		field.Invalid(path, nil, "detail"),
		field.Invalid(path, true, "detail"),
		field.Invalid(path, int64(-7), "detail"),
		field.Invalid(path, 7, "detail"),
		field.Invalid(path, 1e21, "detail"),
		field.Invalid(path, []string{"<a>", "b"}, "detail"),
		field.Invalid(path, map[string]any{"b": 1, "a": nil}, ""),
		field.Invalid(path, apiextensions.ValidationRule{Rule: "self > 1"}, "detail"),
		field.TypeInvalid(path, "object", "detail"),
		field.NotSupported(path, "c", []string{"a", "b"}),
		field.Duplicate(path, text),
		field.NotFound(path, text),
		field.TooMany(path, 9, 8),
		field.TooMany(path, -1, 8),
		field.TooLong(path, text, 8),
		field.Required(path, ""),
		field.Forbidden(path, "detail"),
		field.InternalError(path, field.Invalid(path, text, "detail")),
	}
	for _, e := range errors {
		whole := e.Field + ": " + e.Type.String()
		for _, part := range []string{printedValue(e), e.Detail} {
			if part != "" {
				whole += ": " + part
			}
		}
		if whole != e.Error() {
			t.Errorf("want %s, have %s", e.Error(), whole)
		}
	}
}
