package crd

import (
	"encoding/json"
	"fmt"

	"k8s.io/apimachinery/pkg/util/validation/field"
)

// printedValue is the wrong value as Error() of the newest release prints it.
// Before Kubernetes 1.34, lists and objects are printed in Go syntax with
// addresses, which differ in every run, so goldens cannot contain them.
func printedValue(e *field.Error) string {
	switch e.Type {
	case field.ErrorTypeRequired, field.ErrorTypeForbidden, field.ErrorTypeTooLong, field.ErrorTypeInternal:
		return ""
	}
	switch value := e.BadValue.(type) {
	case field.OmitValueType:
		return ""
	case int64, int32, float64, float32, bool:
		return fmt.Sprint(value)
	case string:
		return fmt.Sprintf("%q", value)
	default:
		text, err := json.Marshal(value)
		if err != nil {
			panic(fmt.Sprintf("%s: a value that is no JSON: %v", e.Field, err))
		}
		return string(text)
	}
}
