//! The verdicts of the API server's code on objects, if `CRD_LS_CR_ORACLE` names its program. The program is
//! called as `cr --crd FILE FILE...` and answers with one line for each object.

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::Value as Json;

/// For each object, whether the server accepts it after `definition` is installed, or `None` if the program
/// crashes on it. Empty if the program is not available.
pub(crate) fn accepts(definition: &Json, objects: &[Json]) -> Vec<Option<bool>> {
    let Some(oracle) = environment::resource_oracle() else { return Vec::new() };
    let work = tempfile::tempdir().unwrap();
    let write = |name: &str, json: &Json| {
        let path = work.path().join(name);
        fs::write(&path, json.to_string()).unwrap();
        path
    };
    let installed = write("definition.json", definition);
    let paths: Vec<_> =
        objects.iter().enumerate().map(|(index, object)| write(&format!("{index}.json"), object)).collect();
    let output = Command::new(oracle).arg("cr").arg("--crd").arg(installed).args(&paths).output().unwrap();
    if !output.status.success() {
        if objects.len() == 1 {
            println!("the server crashes: {}", objects[0]);
            return vec![None];
        }
        let (first, second) = objects.split_at(objects.len() / 2);
        return [first, second].into_iter().flat_map(|half| accepts(definition, half)).collect();
    }
    let answers = str::from_utf8(&output.stdout).unwrap().lines();
    let answers: Vec<Json> = answers.map(|line| serde_json::from_str(line).unwrap()).collect();
    let of = |path: &Path| {
        let answer = answers.iter().find(|answer| answer["file"].as_str() == path.to_str()).unwrap();
        assert_eq!(answer["matched"], true, "{answer}");
        // Pruned fields do not matter here.
        ["decodeErrors", "errors"].iter().all(|key| answer[*key].as_array().is_none_or(Vec::is_empty))
    };
    paths.iter().map(|path| Some(of(path))).collect()
}
