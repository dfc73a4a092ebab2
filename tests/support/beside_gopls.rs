//! A Go module that crd-ls and gopls serve together.

use std::fs;
use std::path::Path;

use crate::editors::REPOSITORY;

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

/// What a user of Neovim adds for gopls.
pub(crate) const SETUP: &str = "
vim.lsp.config('gopls', {
  cmd = { 'gopls' },
  filetypes = { 'go' },
  root_markers = { 'go.mod' },
  settings = { gopls = { semanticTokens = true, hints = { assignVariableTypes = true } } },
})
vim.lsp.enable('gopls')
";

/// Variables with which Go downloads nothing.
pub(crate) const OFFLINE: [(&str, &str); 5] = [
    ("GOPROXY", "off"),
    ("GOTOOLCHAIN", "local"),
    ("GOFLAGS", "-mod=mod"),
    ("GOWORK", "off"),
    ("GOENV", "off"),
];

/// Writes the module, with a small module in place of the one of Kubernetes.
pub(crate) fn write_module(root: &Path) {
    let put = |path: &str, text: &str| {
        fs::create_dir_all(root.join(path).parent().unwrap()).unwrap();
        fs::write(root.join(path), text).unwrap();
    };
    let meta = Path::new(REPOSITORY).join("fixtures/go/apimachinery/pkg/apis/meta/v1/types.go");
    put(".git/HEAD", "ref: refs/heads/main\n");
    // The rule is cheap.
    put(".crd-ls.toml", "[inlayHints]\ncostFrom = 0\n");
    put(
        "go.mod",
        "module example.com/widgets\n\ngo 1.22\n\nrequire k8s.io/apimachinery v0.0.0\n\nreplace k8s.io/apimachinery => ./meta\n",
    );
    put("meta/go.mod", "module k8s.io/apimachinery\n\ngo 1.22\n");
    put("meta/pkg/apis/meta/v1/types.go", &fs::read_to_string(meta).unwrap());
    put(FILE, TYPES);
}
