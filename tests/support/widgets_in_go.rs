//! A Go module with an API that editors open.

use std::path::Path;

use crate::go_module::{self, put};

/// The file with the types.
pub(crate) const FILE: &str = "api/v1/widget_types.go";

/// Its text.
pub(crate) const TYPES: &str = r#"// +groupName=widgets.example.com
package v1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// Widget is a thing to be made.
// +kubebuilder:object:root=true
type Widget struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec WidgetSpec `json:"spec"`
}

// WidgetSpec is the wanted widget.
// +kubebuilder:validation:XValidation:rule="self.least <= self.size",message="too small"
type WidgetSpec struct {
	// Size in millimetres.
	// +kubebuilder:validation:Maximum=100
	Size int32 `json:"size"`

	Least int32 `json:"least"`

	// +optional
	Other int32 `json:"other"`
}

// Half is what is left of it.
func (spec WidgetSpec) Half() int32 {
	half := spec.Size / 2
	return half
}
"#;

/// A widget that the types allow.
const SAMPLE: &str = "\
apiVersion: widgets.example.com/v1
kind: Widget
metadata:
  name: one
spec:
  size: 5
  least: 2
";

/// Writes the module, with a small module in place of the one of Kubernetes.
pub(crate) fn write_module(root: &Path) {
    go_module::write(root, "example.com/widgets");
    put(root, ".git/HEAD", "ref: refs/heads/main\n");
    // The rule is cheap.
    put(root, ".crd-ls.toml", "[inlayHints]\ncostFrom = 0\n");
    put(root, FILE, TYPES);
    put(root, "samples/widget.yaml", SAMPLE);
}
