// Package crd runs the code that kube-apiserver runs when a
// CustomResourceDefinition is created.
package crd

import (
	"cmp"
	"context"
	"fmt"
	"regexp"
	"slices"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/install"
	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/registry/customresourcedefinition"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/apimachinery/pkg/util/validation/field"
	genericapirequest "k8s.io/apiserver/pkg/endpoints/request"
)

// The server's own declarations depend on the whole server, which takes long to
// compile.
var (
	scheme = runtime.NewScheme()
	codecs = serializer.NewCodecFactory(scheme)
)

func init() {
	install.Install(scheme)
}

// FieldError has the content of a field.Error of the API machinery.
type FieldError struct {
	// Type is the machine-readable cause, such as "FieldValueInvalid".
	Type  string `json:"type"`
	Field string `json:"field"`
	// Value is the wrong value as the error prints it, such as "\"x\""; empty
	// if it prints none.
	Value  string `json:"value,omitempty"`
	Detail string `json:"detail"`
}

// Verdict has the server's errors in one definition. All lists are sorted:
// the server iterates over maps, so its order changes from run to run.
type Verdict struct {
	// Errors are those of validation. The server does not validate if Decode,
	// or, with fieldValidation=Strict, Strict is not empty. Here, Errors are
	// nevertheless computed after strict errors.
	Errors []FieldError `json:"errors,omitempty"`
	// Strict are unknown and duplicate fields.
	Strict []string `json:"strict,omitempty"`
	// Decode has the reasons why the document cannot be decoded.
	Decode []string `json:"decode,omitempty"`
	// Warnings and Conditions are nil unless requested: the former are part of
	// the answer, the latter are the messages of the NonStructuralSchema
	// condition.
	Warnings   []string `json:"warnings,omitempty"`
	Conditions []string `json:"conditions,omitempty"`
}

// Create returns the verdict on a definition as for POST. An error is a crash of
// the API server's code.
func Create(definition Definition) (verdict Verdict, err error) {
	defer recoverCrash(definition, &err)
	object, decodeErr := decode(definition.Data)
	verdict.Strict, verdict.Decode = splitStrict(decodeErr)
	if object == nil {
		return verdict, nil
	}
	strategy := customresourcedefinition.NewStrategy(scheme)
	ctx := genericapirequest.WithNamespace(context.Background(), "")
	strategy.PrepareForCreate(ctx, object)
	verdict.Errors = fieldErrors(validateCreate(ctx, object, strategy))
	verdict.Warnings = sorted(strategy.WarningsOnCreate(ctx, object))
	verdict.Conditions = nonStructural(object)
	return verdict, nil
}

// Update returns the verdict on a definition as for PUT over a stored one that is
// Established.
func Update(definition, stored Definition) (verdict Verdict, err error) {
	defer recoverCrash(definition, &err)
	object, decodeErr := decode(definition.Data)
	verdict.Strict, verdict.Decode = splitStrict(decodeErr)
	if object == nil {
		return verdict, nil
	}
	old, decodeErr := decode(stored.Data)
	if old == nil {
		return verdict, fmt.Errorf("the stored definition: %w", decodeErr)
	}
	strategy := customresourcedefinition.NewStrategy(scheme)
	ctx := genericapirequest.WithNamespace(context.Background(), "")
	versions := old.Status.StoredVersions
	strategy.PrepareForCreate(ctx, old)
	if len(versions) > 0 {
		old.Status.StoredVersions = versions
	}
	old.Status.Conditions = []apiextensions.CustomResourceDefinitionCondition{
		{Type: apiextensions.Established, Status: apiextensions.ConditionTrue},
	}
	old.Status.AcceptedNames = old.Spec.Names
	// Clients send the resource version that they have read.
	old.ResourceVersion = "1"
	if object.ResourceVersion == "" {
		object.ResourceVersion = old.ResourceVersion
	}
	object.Generation = old.Generation
	strategy.PrepareForUpdate(ctx, object, old)
	verdict.Errors = fieldErrors(validateUpdate(ctx, object, old, strategy))
	verdict.Warnings = sorted(strategy.WarningsOnUpdate(ctx, object, old))
	verdict.Conditions = nonStructural(object)
	return verdict, nil
}

// WithoutRemarks is the verdict with only the errors that reject the definition.
func (v Verdict) WithoutRemarks() Verdict {
	v.Warnings, v.Conditions = nil, nil
	return v
}

func recoverCrash(definition Definition, err *error) {
	if crash := recover(); crash != nil {
		*err = fmt.Errorf("document %d: the API server's code panics: %v", definition.Document, crash)
	}
}

// nonStructural returns the messages of the condition that the controller of the
// same name writes. Unlike validation, it names schemas by their version.
func nonStructural(object *apiextensions.CustomResourceDefinition) []string {
	var found field.ErrorList
	if preserve := object.Spec.PreserveUnknownFields; preserve != nil && *preserve {
		found = append(found, field.Invalid(field.NewPath("spec", "preserveUnknownFields"), true, "must be false"))
	}
	for i, version := range object.Spec.Versions {
		validation, err := apiextensions.GetSchemaForVersion(object, version.Name)
		if err != nil || validation == nil || validation.OpenAPIV3Schema == nil {
			continue
		}
		schema, err := structuralschema.NewStructural(validation.OpenAPIV3Schema)
		if err != nil {
			return []string{fmt.Sprintf("failed to check validation schema for version %s: %v", version.Name, err)}
		}
		path := field.NewPath("spec", "versions").Index(i).Child("schema", "openAPIV3Schema")
		found = append(found, structuralschema.ValidateStructural(path, schema)...)
	}
	var messages []string
	for _, e := range found {
		messages = append(messages, e.Error())
	}
	return sorted(messages)
}

func sorted(texts []string) []string {
	slices.Sort(texts)
	return texts
}

// decode decodes as the create handler does under fieldValidation=Strict:
// defaulting and conversion to the internal version are part of it. With
// strict errors the object is returned too.
func decode(data []byte) (*apiextensions.CustomResourceDefinition, error) {
	info, ok := runtime.SerializerInfoForMediaType(codecs.SupportedMediaTypes(), runtime.ContentTypeYAML)
	if !ok {
		return nil, fmt.Errorf("no YAML serializer")
	}
	decoder := codecs.DecoderToVersion(info.StrictSerializer, apiextensions.SchemeGroupVersion)
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

// splitStrict separates the errors after which there is still an object from the
// one that prevents decoding.
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

// selfType matches the type name that the server generates for self from the
// clock, and that differs in every run.
var selfType = regexp.MustCompile(`selfType\d+`)

func fieldErrors(list field.ErrorList) []FieldError {
	var out []FieldError
	for _, e := range list {
		detail := selfType.ReplaceAllString(e.Detail, "selfType")
		out = append(out, FieldError{Type: string(e.Type), Field: e.Field, Value: printedValue(e), Detail: detail})
	}
	slices.SortFunc(out, func(a, b FieldError) int {
		return cmp.Or(cmp.Compare(a.Field, b.Field), cmp.Compare(a.Type, b.Type), cmp.Compare(a.Detail, b.Detail),
			cmp.Compare(a.Value, b.Value))
	})
	return out
}
