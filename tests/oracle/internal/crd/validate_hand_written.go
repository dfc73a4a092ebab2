//go:build hand_written_only

package crd

import (
	"context"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/apiserver/pkg/registry/rest"
)

// Releases before 1.37 have no declarative validation in addition to that of the strategies.

func validateCreate(ctx context.Context, object *apiextensions.CustomResourceDefinition, strategy rest.RESTCreateStrategy) field.ErrorList {
	return strategy.Validate(ctx, object)
}

func validateUpdate(ctx context.Context, object, old *apiextensions.CustomResourceDefinition, strategy rest.RESTUpdateStrategy) field.ErrorList {
	return strategy.ValidateUpdate(ctx, object, old)
}
