//! Reads gates from a definition.

use text::TextRange;

use crate::field_path::FieldPath;
use crate::gates::{FORMS, GATE_FIELDS};
use crate::message::Message;
use crate::object::CustomResourceDefinition;
use crate::object::Node;
use crate::suggest::did_you_mean;

/// The gates of a definition, and the problems in their form.
#[derive(Clone, Debug, Default)]
pub struct FeatureGates {
    /// The component that the gates belong to, if it is set.
    pub component: Option<String>,
    /// The gates, in the order of the text.
    pub gates: Vec<Gate>,
    /// The parts that cannot be read, by place.
    pub(crate) problems: Vec<(GatePlace, Message)>,
}

/// A place: the range in bytes of the text, and the path.
pub(crate) type GatePlace = (TextRange, FieldPath);

/// A gate.
#[derive(Clone, Debug)]
pub struct Gate {
    /// The name; empty if it is missing.
    pub name: Spanned<String>,
    /// The whole item, in bytes.
    pub range: TextRange,
    /// The stage; `None` if it cannot be read.
    pub stage: Option<Spanned<Stage>>,
    /// `enabled`
    pub enabled: Option<Spanned<bool>>,
    /// `default`
    pub default: Option<Spanned<bool>>,
    /// The paths of the fields that it guards, as written.
    pub field_paths: Vec<Spanned<String>>,
    /// The warning for users of a deprecated gate.
    pub warning: Option<String>,
}

/// A value with its place.
#[derive(Clone, Debug)]
pub struct Spanned<T> {
    /// The value.
    pub value: T,
    /// The range in bytes of the text; the gate's own key if the value is missing.
    pub range: TextRange,
    /// Its path in the definition.
    pub path: FieldPath,
}

/// The stage of a gate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Off unless enabled.
    Alpha,
    /// On or off, depending on its default.
    Beta,
    /// Always on.
    Stable,
    /// To be removed.
    Deprecated,
}

impl Stage {
    /// All stages, in the order of a gate's life.
    pub const ALL: [Self; 4] = [Self::Alpha, Self::Beta, Self::Stable, Self::Deprecated];

    /// The stage as it is written.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Alpha => "alpha",
            Self::Beta => "beta",
            Self::Stable => "stable",
            Self::Deprecated => "deprecated",
        }
    }

    fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|stage| stage.as_str() == text)
    }
}

impl Gate {
    /// The name for messages.
    #[must_use]
    pub fn title(&self) -> &str {
        if self.name.value.is_empty() { "(without a name)" } else { &self.name.value }
    }
}

impl FeatureGates {
    /// The gates of `definition`, in either form.
    #[must_use]
    pub fn read(definition: &CustomResourceDefinition<'_, '_>) -> Self {
        let mut gates = Self::default();
        let [list, custom] = definition.node().child("spec").children(FORMS);
        if list.is_set() && custom.is_set() {
            gates.problem(&custom, "use either `featureGates` or `customFeatureGates`, not both");
        }
        for holder in [list, custom].into_iter().filter(Node::is_set) {
            gates.holder(&holder);
        }
        gates
    }

    /// Whether there are no gates.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.gates.is_empty()
    }

    fn problem(&mut self, node: &Node<'_, '_>, message: impl Into<Message>) {
        self.problems.push(((node.range(), node.path().clone()), message.into()));
    }

    /// Reads a list of gates, or an object with the component and such a list.
    fn holder(&mut self, holder: &Node<'_, '_>) {
        let Some(value) = holder.value() else { return };
        if value.as_sequence().is_some() {
            return self.list(holder);
        }
        if value.as_mapping().is_none() {
            return self
                .problem(holder, "use a list of gates or an object with `component` and `featureGates`");
        }
        self.check_field_names(holder, &["component", "featureGates"]);
        let [component, list] = holder.children(["component", "featureGates"]);
        self.component = self.text(&component).map(|component| component.value);
        match list.value() {
            None => self.problem(holder, "`featureGates` is missing: the list of gates"),
            Some(value) if value.as_sequence().is_some() => self.list(&list),
            Some(_) => self.problem(&list, "use a list of gates"),
        }
    }

    fn list(&mut self, list: &Node<'_, '_>) {
        for item in list.items() {
            let mapping = item.value().and_then(yaml::Value::as_mapping);
            if mapping.is_none() {
                self.problem(&item, "use an object with `name`, `preRelease` and `fieldPaths`");
                continue;
            }
            // The only place for the component in the form of a list.
            let component = item.child("component");
            if component.is_set() && item.entries().len() == 1 {
                self.component = self.text(&component).map(|component| component.value);
                continue;
            }
            self.gate(&item);
        }
    }

    fn gate(&mut self, item: &Node<'_, '_>) {
        self.check_field_names(item, &GATE_FIELDS);
        let [name, enabled, default, stage, old_stage, paths, warning] = item.children(GATE_FIELDS);
        let name = self.text(&name).filter(|name| !name.value.is_empty());
        if name.is_none() {
            self.problem(item, "the gate has no `name`");
        }
        if stage.is_set() && old_stage.is_set() {
            self.problem(&old_stage, "`preRelease` is already set; this is its older spelling");
        }
        let stage = if stage.is_set() { stage } else { old_stage };
        let gate = Gate {
            name: name.unwrap_or_else(|| spanned(String::new(), item)),
            range: item.value().map_or(item.range(), |value| value.range()),
            stage: self.stage(item, &stage),
            enabled: self.boolean(&enabled),
            default: self.boolean(&default),
            field_paths: self.paths(item, &paths),
            warning: self.text(&warning).map(|warning| warning.value),
        };
        self.gates.push(gate);
    }

    fn stage(&mut self, item: &Node<'_, '_>, node: &Node<'_, '_>) -> Option<Spanned<Stage>> {
        if !node.is_set() {
            let message = Message::new("the gate has no `preRelease`");
            self.problem(item, message.advise("add alpha, beta, stable or deprecated"));
            return None;
        }
        let text = self.text(node)?.value;
        let stage = Stage::parse(&text);
        if stage.is_none() {
            let near = did_you_mean(&text, Stage::ALL.into_iter().map(Stage::as_str));
            self.problem(node, format!("`{text}` is not alpha, beta, stable or deprecated{near}"));
        }
        Some(spanned(stage?, node))
    }

    fn paths(&mut self, item: &Node<'_, '_>, node: &Node<'_, '_>) -> Vec<Spanned<String>> {
        let items: Vec<Node<'_, '_>> = node.items().collect();
        if node.is_set() && node.value().and_then(yaml::Value::as_sequence).is_none() {
            self.problem(node, "use a list of paths such as `.spec.replicas`");
        } else if items.is_empty() {
            self.problem(item, "the gate guards nothing: `fieldPaths` names no field");
        }
        let mut paths = Vec::new();
        for item in items {
            match item.value() {
                Some(_) => paths.extend(self.text(&item)),
                None => {
                    let message =
                        Message::new("the path is empty").advise("add one such as `.spec.replicas`");
                    self.problem(&item, message);
                }
            }
        }
        paths
    }

    fn text(&mut self, node: &Node<'_, '_>) -> Option<Spanned<String>> {
        node.value()?;
        let text = node.optional_text();
        if text.is_none() {
            self.problem(node, "use a string");
        }
        Some(spanned(text?.into_owned(), node))
    }

    fn boolean(&mut self, node: &Node<'_, '_>) -> Option<Spanned<bool>> {
        node.value()?;
        let value = node.boolean();
        if value.is_none() {
            self.problem(node, "use `true` or `false`");
        }
        Some(spanned(value?, node))
    }

    fn check_field_names(&mut self, holder: &Node<'_, '_>, names: &[&'static str]) {
        for (key, node) in holder.entries() {
            if !names.contains(&key.as_ref()) {
                let near = did_you_mean(&key, names.iter().copied());
                let place = (node.key(), node.path().clone());
                self.problems.push((place, format!("the field `{key}` does not exist here{near}").into()));
            }
        }
    }
}

fn spanned<T>(value: T, node: &Node<'_, '_>) -> Spanned<T> {
    Spanned { value, range: node.range(), path: node.path().clone() }
}
