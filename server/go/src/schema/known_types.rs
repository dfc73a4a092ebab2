//! Types whose schemas do not come from their declarations.

use std::sync::Arc;

use super::model::{Additional, Schema};

/// The packages that contain such types.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum KnownPackage {
    Meta,
    Resource,
    Runtime,
    Unstructured,
    Intstr,
    Apiextensions,
    /// core/v1, up to v0.15.
    Core,
}

impl KnownPackage {
    pub(crate) fn of(path: &str) -> Option<Self> {
        Some(match path {
            "k8s.io/apimachinery/pkg/apis/meta/v1" => Self::Meta,
            "k8s.io/apimachinery/pkg/api/resource" => Self::Resource,
            "k8s.io/apimachinery/pkg/runtime" => Self::Runtime,
            "k8s.io/apimachinery/pkg/apis/meta/v1/unstructured" => Self::Unstructured,
            "k8s.io/apimachinery/pkg/util/intstr" => Self::Intstr,
            "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
            | "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1beta1" => Self::Apiextensions,
            "k8s.io/api/core/v1" => Self::Core,
            _ => return None,
        })
    }

    /// Whether its other types are available as well.
    pub(crate) const fn has_others(self) -> bool {
        !matches!(self, Self::Resource | Self::Intstr)
    }

    /// Its types with their schemas.
    pub(crate) fn schemas(
        self,
        embedded_object_meta: bool,
        protocol_default: bool,
    ) -> Vec<(&'static str, Schema)> {
        let of = Schema::of;
        let formatted = |format: &str| Schema { format: format.to_owned(), ..of("string") };
        match self {
            Self::Meta => vec![
                ("ObjectMeta", if embedded_object_meta { object_meta() } else { of("object") }),
                ("Time", formatted("date-time")),
                ("MicroTime", formatted("date-time")),
                ("Duration", of("string")),
                ("Fields", Schema { additional: Some(Additional { schema: None }), ..of("object") }),
            ],
            Self::Resource => vec![("Quantity", Schema { pattern: QUANTITY.to_owned(), ..int_or_string() })],
            Self::Runtime => vec![("RawExtension", Schema { preserve_unknown: true, ..of("object") })],
            Self::Unstructured => vec![("Unstructured", of("object"))],
            Self::Intstr => vec![("IntOrString", int_or_string())],
            Self::Apiextensions => vec![("JSON", Schema { preserve_unknown: true, ..Schema::default() })],
            Self::Core if protocol_default => {
                vec![("Protocol", Schema { default: Some(crate::json::Json::text("TCP")), ..of("string") })]
            }
            Self::Core => Vec::new(),
        }
    }
}

const QUANTITY: &str = r"^(\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))))?$";

fn int_or_string() -> Schema {
    Schema {
        int_or_string: true,
        any_of: vec![Schema::of("integer"), Schema::of("string")],
        ..Schema::default()
    }
}

fn object_meta() -> Schema {
    let text = || Arc::new(Schema::of("string"));
    let texts = || Schema { additional: Some(Additional { schema: Some(text()) }), ..Schema::of("object") };
    let properties = [
        ("name", Schema::of("string")),
        ("namespace", Schema::of("string")),
        ("annotations", texts()),
        ("labels", texts()),
        ("finalizers", Schema { items: Some(text()), ..Schema::of("array") }),
    ];
    let properties = properties.into_iter().map(|(name, schema)| (name.into(), Arc::new(schema)));
    Schema { properties: properties.collect(), ..Schema::of("object") }
}
