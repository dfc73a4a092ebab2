// Package crd runs what kube-apiserver runs on a CustomResourceDefinition that
// is created.
package crd

import (
	"cmp"
	"context"
	"fmt"
	"regexp"
	"slices"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	"k8s.io/apiextensions-apiserver/pkg/apiserver"
	"k8s.io/apiextensions-apiserver/pkg/registry/customresourcedefinition"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/validation/field"
	genericapirequest "k8s.io/apiserver/pkg/endpoints/request"
	"k8s.io/apiserver/pkg/registry/rest"
)

// FieldError is what a field.Error of the API machinery says, without the value.
type FieldError struct {
	// Type is the machine-readable cause, such as "FieldValueInvalid".
	Type   string `json:"type"`
	Field  string `json:"field"`
	Detail string `json:"detail"`
}

// Verdict is what the server finds in one definition. All lists are sorted:
// the server walks maps, so that its order changes from run to run.
type Verdict struct {
	// Errors are those of validation. The server does not get so far when
	// Decode or, under fieldValidation=Strict, Strict holds something; they are
	// computed behind the latter all the same.
	Errors []FieldError `json:"errors,omitempty"`
	// Strict are unknown and duplicate fields.
	Strict []string `json:"strict,omitempty"`
	// Decode is why no object could be made of the document.
	Decode []string `json:"decode,omitempty"`
}

// Create gives the verdict on a definition as on POST. An error is a crash of
// the API server's code.
func Create(definition Definition) (verdict Verdict, err error) {
	defer func() {
		if crash := recover(); crash != nil {
			err = fmt.Errorf("document %d: the API server's code panics: %v", definition.Document, crash)
		}
	}()
	object, decodeErr := decode(definition.Data)
	verdict.Strict, verdict.Decode = splitStrict(decodeErr)
	if object == nil {
		return verdict, nil
	}
	strategy := customresourcedefinition.NewStrategy(apiserver.Scheme)
	ctx := genericapirequest.WithNamespace(context.Background(), "")
	strategy.PrepareForCreate(ctx, object)
	verdict.Errors = fieldErrors(rest.ValidateCreate(ctx, object, strategy))
	return verdict, nil
}

// decode decodes as the create handler does under fieldValidation=Strict:
// defaulting and conversion to the internal version are part of it. With
// strict errors the object is returned too.
func decode(data []byte) (*apiextensions.CustomResourceDefinition, error) {
	info, ok := runtime.SerializerInfoForMediaType(apiserver.Codecs.SupportedMediaTypes(), runtime.ContentTypeYAML)
	if !ok {
		return nil, fmt.Errorf("no YAML serializer")
	}
	decoder := apiserver.Codecs.DecoderToVersion(info.StrictSerializer, apiextensions.SchemeGroupVersion)
	object, _, err := decoder.Decode(data, nil, nil)
	if object == nil {
		return nil, err
	}
	definition, ok := object.(*apiextensions.CustomResourceDefinition)
	if !ok {
		return nil, fmt.Errorf("not a %s but a %T", Kind, object)
	}
	return definition, err
}

// splitStrict separates the errors with which an object is still made from the
// one that prevents it.
func splitStrict(err error) (strict, fatal []string) {
	if err == nil {
		return nil, nil
	}
	list, ok := runtime.AsStrictDecodingError(err)
	if !ok {
		return nil, []string{err.Error()}
	}
	for _, e := range list.Errors() {
		strict = append(strict, e.Error())
	}
	slices.Sort(strict)
	return strict, nil
}

// selfType matches the type name that the server makes up for self from the
// clock; it differs on every run.
var selfType = regexp.MustCompile(`selfType\d+`)

func fieldErrors(list field.ErrorList) []FieldError {
	var out []FieldError
	for _, e := range list {
		detail := selfType.ReplaceAllString(e.Detail, "selfType")
		out = append(out, FieldError{Type: string(e.Type), Field: e.Field, Detail: detail})
	}
	slices.SortFunc(out, func(a, b FieldError) int {
		return cmp.Or(cmp.Compare(a.Field, b.Field), cmp.Compare(a.Type, b.Type), cmp.Compare(a.Detail, b.Detail))
	})
	return out
}
