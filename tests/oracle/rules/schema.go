package main

import (
	"encoding/json"
	"fmt"
	"regexp"

	celgo "github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/interpreter"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel/model"
	"k8s.io/apimachinery/pkg/util/version"
	apiservercel "k8s.io/apiserver/pkg/cel"
	"k8s.io/apiserver/pkg/cel/environment"
)

// node is a schema with its types in CEL.
type node struct {
	*structuralschema.Structural
	declared *apiservercel.DeclType
	// typed is the schema of values of self.
	typed *structuralschema.Structural
}

func newNode(schema json.RawMessage, isRoot bool) (node, error) {
	props := &apiextensionsv1.JSONSchemaProps{}
	if err := json.Unmarshal(schema, props); err != nil {
		return node{}, err
	}
	internal := &apiextensions.JSONSchemaProps{}
	if err := apiextensionsv1.Convert_v1_JSONSchemaProps_To_apiextensions_JSONSchemaProps(props, internal, nil); err != nil {
		return node{}, err
	}
	s, err := structuralschema.NewStructural(internal)
	if err != nil {
		return node{}, err
	}
	n := node{Structural: s, declared: model.SchemaDeclType(s, isRoot || s.XEmbeddedResource), typed: s}
	if n.declared == nil {
		return node{}, fmt.Errorf("CEL cannot see the schema")
	}
	if isRoot || s.XEmbeddedResource {
		n.typed = model.WithTypeAndObjectMeta(s)
	}
	return n, nil
}

func baseEnvironment() *environment.EnvSet {
	return environment.MustBaseEnvSet(environment.DefaultCompatibilityVersion())
}

// environmentOf is the environment of the node's rules, as cel.Compile makes it.
func (n node) environmentOf(optionalOldSelf bool) (*environment.EnvSet, error) {
	self := n.declared.MaybeAssignTypeName("selfType0")
	old := self.CelType()
	if optionalOldSelf {
		old = types.NewOptionalType(old)
	}
	return baseEnvironment().Extend(environment.VersionedOptions{
		IntroducedVersion: version.MajorMinor(1, 0),
		EnvOptions: []celgo.EnvOption{
			celgo.Variable(cel.ScopedVarName, self.CelType()),
			celgo.Variable(cel.OldScopedVarName, old),
		},
		DeclTypes: []*apiservercel.DeclType{self},
	})
}

// activation holds self and oldSelf, like the one of the server.
type activation struct{ self, oldSelf ref.Val }

// activationOf is the activation with these values; nil is a missing value.
func (n node) activationOf(self, old *any, optionalOldSelf bool) *activation {
	a := &activation{}
	if self != nil {
		a.self = cel.UnstructuredToVal(*self, n.typed)
	}
	if old != nil {
		a.oldSelf = cel.UnstructuredToVal(*old, n.typed)
	}
	if optionalOldSelf && old != nil {
		a.oldSelf = types.OptionalOf(a.oldSelf)
	} else if optionalOldSelf {
		a.oldSelf = types.OptionalNone
	}
	return a
}

func (a *activation) ResolveName(name string) (any, bool) {
	switch name {
	case cel.ScopedVarName:
		return a.self, a.self != nil
	case cel.OldScopedVarName:
		return a.oldSelf, a.oldSelf != nil
	}
	return nil, false
}

func (a *activation) Parent() interpreter.Activation { return nil }

// valueOf decodes a value as the server does, which decodes whole numbers as integers.
func valueOf(data json.RawMessage) (any, error) {
	var v any
	err := json.Unmarshal(data, &v)
	return integers(v), err
}

func integers(v any) any {
	switch v := v.(type) {
	case float64:
		if i := int64(v); float64(i) == v {
			return i
		}
	case []any:
		for i := range v {
			v[i] = integers(v[i])
		}
	case map[string]any:
		for k := range v {
			v[k] = integers(v[k])
		}
	}
	return v
}

var uniqueType = regexp.MustCompile(`selfType\d+`)

// normalized is text without the number that the server appends to the name of a type.
func normalized(text string) string {
	return uniqueType.ReplaceAllString(text, "selfType")
}
