//! A Go module whose imports of Kubernetes lead to a small module beside it.

use std::fs;
use std::path::Path;

/// Writes a file and its folders.
pub(crate) fn put(root: &Path, path: &str, text: &str) {
    fs::create_dir_all(root.join(path).parent().unwrap()).unwrap();
    fs::write(root.join(path), text).unwrap();
}

/// Writes `go.mod` of the module `name`, and the small module.
pub(crate) fn write(root: &Path, name: &str) {
    let meta = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../fixtures/go/apimachinery/pkg/apis/meta/v1/types.go");
    let go_mod = format!(
        "module {name}\n\ngo 1.22\n\nrequire k8s.io/apimachinery v0.0.0\n\nreplace k8s.io/apimachinery => ./meta\n"
    );
    put(root, "go.mod", &go_mod);
    put(root, "meta/go.mod", "module k8s.io/apimachinery\n\ngo 1.22\n");
    put(root, "meta/pkg/apis/meta/v1/types.go", &fs::read_to_string(meta).unwrap());
}
