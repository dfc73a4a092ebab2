//! Built-in Kubernetes types for projects whose modules are not downloaded.
//!
//! Names, tags and markers are in tables; the texts come from `k8s-openapi` (`build.rs`).

use std::io::Read as _;

use flate2::read::DeflateDecoder;

use super::{MissingModule, ModuleLocation};

/// The release of Kubernetes whose types are built in.
const BUILTIN_RELEASE: &str = "1.37";

include!(concat!(env!("OUT_DIR"), "/packages.rs"));

/// A built-in package.
#[derive(Clone, Copy)]
pub(super) enum Builtin {
    Plain(&'static str),
    Compressed(&'static [u8]),
}

impl Builtin {
    /// The declarations of the package. Callers should keep the text: decompression takes a millisecond.
    pub(super) fn text(self) -> Option<String> {
        match self {
            Self::Plain(text) => Some(text.to_owned()),
            Self::Compressed(bytes) => {
                let mut text = String::new();
                DeflateDecoder::new(bytes).read_to_string(&mut text).ok()?;
                Some(text)
            }
        }
    }
}

/// The built-in package for an import.
pub(super) fn package(import: &str) -> Option<Builtin> {
    builtin_source(import).map(Builtin::Plain).or_else(|| compressed(import).map(Builtin::Compressed))
}

fn builtin_source(import: &str) -> Option<&'static str> {
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
        "k8s.io/apimachinery/pkg/selection" => "package selection\n\ntype Operator string\n",
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

impl MissingModule {
    /// The problem and the remedy if built-in types are used instead.
    #[must_use]
    pub fn built_in_message(&self) -> String {
        format!("{}; the types of Kubernetes {BUILTIN_RELEASE} are used", self.message())
    }

    /// Whether the built-in types are of a different release than the missing types. The types of apimachinery hardly
    /// change.
    #[must_use]
    pub fn is_approximate(&self) -> bool {
        let is_same = |version: &str| {
            let release = version.strip_prefix("v0.").and_then(|version| version.split('.').next());
            release == BUILTIN_RELEASE.strip_prefix("1.")
        };
        compressed(&self.import).is_some()
            && !matches!(&self.expected_location, ModuleLocation::NotDownloaded { version, .. } if is_same(version))
    }
}
