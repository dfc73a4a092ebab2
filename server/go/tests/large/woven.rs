//! A module whose types refer to each other in all ways: across packages and files, in cycles, inlined, through aliases; and
//! to types that are built in or missing.

use std::fs;
use std::path::{Path, PathBuf};

const KINDS: &str = r#"// +groupName=woven.example.com
package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"example.com/woven/parts"
)

// Loom is a kind.
// +kubebuilder:object:root=true
type Loom struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// Spec is what is wanted.
	Spec LoomSpec `json:"spec"`
}

// LoomSpec has parts of all kinds.
// +kubebuilder:validation:XValidation:rule="self.size > 0",message="too small"
type LoomSpec struct {
	Common `json:",inline"`

	// Tree is a circle.
	// +optional
	Tree *Tree `json:"tree,omitempty"`
	// Left is half of one.
	// +optional
	Left *Left `json:"left,omitempty"`
	// Warp is from elsewhere.
	Warp parts.Thread `json:"warp"`
	// Colours have a bound.
	// +kubebuilder:validation:MaxItems=4
	Colours Colours `json:"colours"`
	// Size is small.
	// +kubebuilder:validation:Minimum=1
	Size Size `json:"size"`
	// Again is another name.
	Again Alias `json:"again,omitempty"`
	// +optional
	Outer Outer `json:"outer"`
}

// Cloth is a kind with parts of the other one.
// +kubebuilder:object:root=true
type Cloth struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Common `json:",inline"`
	// Loom made it.
	Loom LoomSpec `json:"loom"`
	// Right is half of a circle.
	// +optional
	Right []Right `json:"right,omitempty"`
	// ByName are threads.
	ByName map[string]parts.Thread `json:"byName,omitempty"`
}
"#;

const TYPES: &str = r#"package v1

import (
	corev1 "k8s.io/api/core/v1"

	"example.com/woven/parts"
	"example.org/far"
)

// Common is inlined.
type Common struct {
	// Label is a name.
	// +kubebuilder:validation:MaxLength=63
	// +kubebuilder:default="none"
	Label string `json:"label"`
	parts.Marked `json:",inline"`
}

// Tree is made of trees.
type Tree struct {
	// Branches are trees.
	Branches []Tree `json:"branches,omitempty"`
	// Leaf ends it.
	Leaf parts.Thread `json:"leaf"`
}

// Left has a right one.
type Left struct {
	Right *Right `json:"right,omitempty"`
	// N counts.
	// +kubebuilder:validation:Maximum=3
	N int32 `json:"n"`
}

// Right has a left one.
type Right struct {
	Left *Left `json:"left,omitempty"`
}

// Colours is a list.
// +kubebuilder:validation:MinItems=1
type Colours []Colour

// Colour is one of these.
// +kubebuilder:validation:Enum=red;green
type Colour string

// Size is a number.
// +kubebuilder:validation:Maximum=9
type Size int32

// Alias is another name.
type Alias = Colour

// Outer has what is from elsewhere.
type Outer struct {
	// Far is not there.
	// +optional
	Far *far.Thing `json:"far,omitempty"`
	// Near is built in.
	Near []corev1.Toleration `json:"near,omitempty"`
	// +kubebuilder:validation:MaxLength=7
	Name  string `json:"name"`
	Weave Weave  `json:"weave"`
}

// Weave is one of its constants.
// +k8s:enum
type Weave string

const (
	// Plain is over and under.
	Plain Weave = "plain"
	Twill Weave = "twill"
)

// Widest is no weave.
const Widest = 4
"#;

const PARTS: &str = r#"package parts

import batchv1 "k8s.io/api/batch/v1"

// Thread is thin.
type Thread struct {
	// Length is in metres.
	// +kubebuilder:validation:Minimum=0
	Length int64 `json:"length"`
	Fibre  *Fibre `json:"fibre,omitempty"`
}

// Fibre is thinner.
// +kubebuilder:validation:MaxProperties=5
type Fibre struct {
	// Of what it is.
	// +kubebuilder:validation:Pattern=`^[a-z]+$`
	Of string `json:"of"`
}

// Marked has a mark.
type Marked struct {
	// Mark is a text.
	// +optional
	Mark string `json:"mark,omitempty"`
	// Job is built in.
	Job *batchv1.JobSpec `json:"job,omitempty"`
}
"#;

/// Writes the module and returns its files.
pub(crate) fn module(root: &Path) -> Vec<PathBuf> {
    for folder in ["v1", "parts"] {
        fs::create_dir_all(root.join(folder)).unwrap();
    }
    let go_mod = "module example.com/woven\n\nrequire (\n\texample.org/far v1.0.0\n\tk8s.io/api v0.29.0\n)\n";
    fs::write(root.join("go.mod"), go_mod).unwrap();
    let files = [("v1/kinds.go", KINDS), ("v1/types.go", TYPES), ("parts/parts.go", PARTS)];
    let written = files.map(|(name, text)| {
        let path = root.join(name);
        fs::write(&path, text).unwrap();
        path
    });
    written.into()
}
