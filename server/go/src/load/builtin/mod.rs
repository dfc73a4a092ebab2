//! Types of k8s.io/apimachinery and apiextensions-apiserver for projects whose modules are not downloaded.
//!
//! The names, tags and markers are those of Kubernetes 1.37; the texts come from `k8s-openapi` (`build.rs`).

/// The declarations of a package that is built in.
pub(super) fn package(import: &str) -> Option<&'static str> {
    Some(match import {
        "k8s.io/apimachinery/pkg/apis/meta/v1" => include_str!(concat!(env!("OUT_DIR"), "/meta.go")),
        "k8s.io/apimachinery/pkg/types" => {
            "package types\n\ntype UID string\n\ntype NodeName string\n\ntype PatchType string\n"
        }
        "k8s.io/apimachinery/pkg/runtime" => {
            "package runtime\n\ntype RawExtension struct{}\n\ntype Object interface {\n\tDeepCopyObject() Object\n}\n"
        }
        "k8s.io/apimachinery/pkg/api/resource" => {
            "package resource\n\ntype Quantity struct{}\n\ntype Format string\n"
        }
        "k8s.io/apimachinery/pkg/util/intstr" => {
            "package intstr\n\ntype IntOrString struct{}\n\ntype Type int64\n"
        }
        "k8s.io/apimachinery/pkg/apis/meta/v1/unstructured" => {
            "package unstructured\n\ntype Unstructured struct{}\n"
        }
        "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1" => "package v1\n\ntype JSON struct{}\n",
        "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1beta1" => {
            "package v1beta1\n\ntype JSON struct{}\n"
        }
        _ => return None,
    })
}
