//! Custom resources as kube-apiserver treats them: decoded, pruned, defaulted and validated by the structural schema of
//! their version.

mod decode;
mod value;

pub(crate) use decode::{Text, ValueDecoder};
pub(crate) use value::shifted;
pub use value::{Kind, Map, Member, Place, Value};
