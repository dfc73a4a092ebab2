//! Texts that show what becomes of definitions and resources: published schemas, stored objects, samples, evaluations.

mod openapi;
mod sample;
mod stored;
mod write;

pub use crd::publish::{Form, PublishedDefinition, PublishedVersion};
pub use openapi::{json_as_yaml, openapi};
pub use sample::{Sample, samples};
pub use stored::{StoredObject, stored};
