//! The API server: temporarily installed definitions, and their objects.

use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::http::{Client, HttpResponse};

const DEFINITIONS: &str = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
/// The maximum time until a definition is served.
const PATIENCE: Duration = Duration::from_secs(60);

/// A definition that is installed until this value is dropped.
pub(crate) struct InstalledDefinition<'c> {
    client: &'c Client,
    definition: Value,
    /// The number of replacements.
    state: usize,
}

impl<'c> InstalledDefinition<'c> {
    /// Creates a definition.
    ///
    /// # Errors
    /// The server's reasons to reject the definition.
    pub(crate) fn new(client: &'c Client, definition: &Value) -> Result<Self, String> {
        let definition = marked(definition, 0);
        let (code, answer) = client.post(DEFINITIONS, &definition);
        if code != 201 {
            return Err(message(&answer));
        }
        let installed = Self { client, definition, state: 0 };
        installed.wait();
        Ok(installed)
    }

    /// Replaces the definition by another one with the same name.
    ///
    /// # Errors
    /// The server's reasons to reject the definition.
    pub(crate) fn replace(&mut self, definition: &Value) -> Result<(), String> {
        let path = format!("{DEFINITIONS}/{}", name(&self.definition));
        let mut definition = marked(definition, self.state + 1);
        for _ in 0..10 {
            let (_, old) = self.client.get(&path);
            definition["metadata"]["resourceVersion"] = old["metadata"]["resourceVersion"].clone();
            definition["status"] = old["status"].clone();
            match self.client.put(&path, &definition) {
                (200, _) => {
                    self.definition = definition;
                    self.state += 1;
                    self.wait();
                    return Ok(());
                }
                // The server's own controllers may write the status in the meantime.
                (409, _) => {}
                (_, answer) => return Err(message(&answer)),
            }
        }
        Err("it changes all the time".to_owned())
    }

    /// The path of objects of a version.
    pub(crate) fn path(&self, version: &str) -> String {
        let spec = &self.definition["spec"];
        let namespace = if spec["scope"] == "Namespaced" { "namespaces/default/" } else { "" };
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        format!("/apis/{}/{version}/{namespace}{}", text(&spec["group"]), text(&spec["names"]["plural"]))
    }

    /// The key under which its objects are stored.
    pub(crate) fn key(&self) -> String {
        let spec = &self.definition["spec"];
        let namespace = if spec["scope"] == "Namespaced" { "/default" } else { "" };
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        format!("{}/{}{namespace}", text(&spec["group"]), text(&spec["names"]["plural"]))
    }

    /// Waits until all versions are served in the definition's last state.
    fn wait(&self) {
        let start = Instant::now();
        let versions = self.definition["spec"]["versions"].as_array().unwrap();
        for version in versions.iter().filter(|version| version["served"] == true) {
            let path = self.path(version["name"].as_str().unwrap());
            loop {
                let (code, table) = self.client.table(&path);
                let columns = table["columnDefinitions"].as_array().into_iter().flatten();
                let mark = mark(self.state);
                if code == 200 && columns.into_iter().any(|column| column["name"] == mark) {
                    break;
                }
                assert!(start.elapsed() < PATIENCE, "{} is not served: {table}", name(&self.definition));
                thread::sleep(Duration::from_millis(20));
            }
        }
    }

    pub(crate) fn client(&self) -> &Client {
        self.client
    }
}

impl Drop for InstalledDefinition<'_> {
    fn drop(&mut self) {
        self.client.delete(&format!("{DEFINITIONS}/{}", name(&self.definition)));
    }
}

fn name(definition: &Value) -> &str {
    definition["metadata"]["name"].as_str().unwrap()
}

fn mark(state: usize) -> String {
    format!("state-{state}")
}

/// The definition with a column that shows which state of it is served.
fn marked(definition: &Value, state: usize) -> Value {
    let mut definition = definition.clone();
    for version in definition["spec"]["versions"].as_array_mut().unwrap() {
        let column = json!({"name": mark(state), "type": "string", "jsonPath": ".metadata.name"});
        version["additionalPrinterColumns"] = json!([column]);
    }
    definition
}

/// The message of an answer.
pub(crate) fn message(answer: &Value) -> String {
    answer["message"].as_str().map_or_else(|| answer.to_string(), str::to_owned)
}

/// The fields and texts of the errors in an answer, without the remark that there may be more errors. `None`
/// if it is not an answer of validation.
pub(crate) fn causes((_, answer): &HttpResponse) -> Option<Vec<(String, String)>> {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let causes = answer["details"]["causes"].as_array()?.iter();
    let mut causes: Vec<_> = causes
        .map(|cause| (text(&cause["field"]), text(&cause["message"])))
        .filter(|(_, message)| !message.contains("some validation rules were not checked"))
        .collect();
    causes.sort();
    causes.dedup();
    Some(causes)
}

/// Our errors in the form of [`causes`]; duplicates are kept.
pub(crate) fn own_causes(errors: &[(String, String)]) -> Vec<(String, String)> {
    let of_error = |(field, message): &(String, String)| {
        let text = message.strip_prefix(&format!("{field}: ")).unwrap_or(message);
        (field.clone(), text.to_owned())
    };
    let mut own: Vec<_> = errors.iter().map(of_error).collect();
    own.sort();
    own
}
