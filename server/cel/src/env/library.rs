//! The declarations of functions, parsed for the checker.

use std::sync::LazyLock;

use rustc_hash::FxHashMap;

use crate::documentation::{Example, Origin};

use crate::library::{Availability, Function, Price, REGEX, STRING, Signature, TOPICS};
use crate::types::{Type, TypeName};

/// One signature of a function.
#[derive(Debug)]
pub struct Overload {
    /// Its name in cel-go.
    pub id: &'static str,
    /// The function.
    pub function: &'static str,
    /// As declared: `(list(T)).sort() -> list(T)`.
    pub signature: &'static str,
    /// Whether it is called on a receiver, which is then the first parameter.
    pub member: bool,
    /// The parameters.
    pub params: Vec<Type>,
    /// The result.
    pub result: Type,
    /// Its type parameters in the order in which they are first used.
    pub type_params: Vec<u32>,
    /// The first release (1.N) whose environment has it; 0 for all.
    pub since: u8,
    /// Whether it compares numbers of different types. cel-go fails to exclude these overloads within and
    /// after a loop.
    pub cross_type: bool,
    pub(crate) declared: &'static Signature,
}

/// The index of an overload in the library.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct OverloadId(u16);

impl OverloadId {
    /// The overload of this id.
    #[must_use]
    pub fn overload(self) -> Option<&'static Overload> {
        library().overloads.get(usize::from(self.0))
    }

    /// Its name in cel-go.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.overload().map_or("", |overload| overload.id)
    }
}

impl Overload {
    /// The cost of a call, in cost units: `0.1 × the length of the argument`.
    #[must_use]
    pub fn cost(&self) -> String {
        match self.declared.price {
            Price::One => "1".to_owned(),
            Price::Scan(at, factor) => format!("{factor} × the size of {}", self.operand(at)),
            Price::Result(factor) => format!("{factor} × the size of the result"),
            Price::Elements => "1 for each element of the list".to_owned(),
            Price::Smaller => format!("{STRING} × the size of the smaller operand"),
            Price::Both => format!("{STRING} × the size of both operands"),
            Price::Regex => {
                format!("{STRING} × the length of the text × {REGEX} × the length of the pattern")
            }
            Price::Contains => {
                format!("{STRING} × the length of the text × {STRING} × the length of the substring")
            }
            Price::Validate | Price::ContainsIp { .. } | Price::ContainsCidr { .. } => {
                "grows with the length of the text".to_owned()
            }
            Price::Traversal => "grows with the size of the value".to_owned(),
            Price::NewList => "1 for each element of the result".to_owned(),
            Price::Flatten => "the depth × the number of elements".to_owned(),
            Price::Sort(_) => "the square of the number of elements".to_owned(),
            Price::Sets(_) => "the number of elements of one list × the number of the other".to_owned(),
        }
    }

    fn operand(&self, at: usize) -> &'static str {
        match (at, self.member, self.params.len()) {
            (0, true, _) => "the receiver",
            (1, true, 0..=2) | (0, false, 0..=1) => "the argument",
            (1, true, _) | (0, false, _) => "the first argument",
            _ => "the second argument",
        }
    }
}

/// A function with its overloads.
#[derive(Debug)]
pub struct FunctionDecl {
    /// Its name, including a namespace such as `sets.`, if any.
    pub name: &'static str,
    /// A description of one line.
    pub doc: &'static str,
    /// A call and its result.
    pub example: Example,
    /// The value whose schema describes the result.
    pub origin: Origin,
    pub(crate) declared: &'static Function,
    first: u16,
    end: u16,
}

impl FunctionDecl {
    /// Its overloads in the order in which the checker tries them.
    pub fn overloads(&self) -> impl Iterator<Item = &'static Overload> {
        library().overloads.get(usize::from(self.first)..usize::from(self.end)).unwrap_or_default().iter()
    }

    /// The same with their ids.
    pub fn overload_ids(&self) -> impl Iterator<Item = (OverloadId, &'static Overload)> {
        (self.first..self.end).map(OverloadId).zip(self.overloads())
    }
}

/// All functions of all releases.
#[derive(Debug)]
pub struct Library {
    overloads: Vec<Overload>,
    functions: Vec<FunctionDecl>,
    by_name: FxHashMap<&'static str, usize>,
    namespaces: Vec<&'static str>,
}

impl Library {
    /// The function of that name.
    #[must_use]
    pub fn function(&self, name: &str) -> Option<&FunctionDecl> {
        self.functions.get(*self.by_name.get(name)?)
    }

    /// Whether there are functions whose names begin with `name` and a dot.
    #[must_use]
    pub fn has_namespace(&self, name: &str) -> bool {
        self.namespaces.contains(&name)
    }

    /// The functions whose names begin with `namespace` and a dot.
    pub fn in_namespace(&self, namespace: &str) -> impl Iterator<Item = &FunctionDecl> {
        let is_in = move |name: &str| name.split_once('.').is_some_and(|(before, _)| before == namespace);
        self.functions.iter().filter(move |function| is_in(function.name))
    }

    /// All functions in the order of their names.
    pub fn functions(&self) -> impl Iterator<Item = &FunctionDecl> {
        self.functions.iter()
    }
}

/// The library, which all environments share; each environment excludes the functions that it does not have.
#[must_use]
pub fn library() -> &'static Library {
    static LIBRARY: LazyLock<Library> = LazyLock::new(read);
    &LIBRARY
}

fn read() -> Library {
    let mut declared: Vec<&Function> = TOPICS.iter().copied().flatten().collect();
    declared.sort_unstable_by_key(|function| function.name);
    let mut namespaces: Vec<_> =
        declared.iter().filter_map(|function| Some(function.name.split_once('.')?.0)).collect();
    namespaces.dedup();
    // The operator `_?._` has a dot, but no namespace.
    namespaces.retain(|name| name.bytes().all(|byte| byte.is_ascii_alphabetic()));
    let (mut overloads, mut functions, mut by_name) = (Vec::new(), Vec::new(), FxHashMap::default());
    for function in declared {
        let &Function { name, doc, example, origin, .. } = function;
        let first = overloads.len() as u16;
        overloads.extend(function.signatures.iter().filter_map(|one| read_overload(name, one)));
        let end = overloads.len() as u16;
        by_name.insert(name, functions.len());
        functions.push(FunctionDecl { name, doc, example, origin, declared: function, first, end });
    }
    Library { overloads, functions, by_name, namespaces }
}

fn read_overload(function: &'static str, declared: &'static Signature) -> Option<Overload> {
    let &Signature { id, text: signature, since, .. } = declared;
    let (call, result) = signature.rsplit_once(" -> ")?;
    // A receiver is written first, in parentheses: `(string).size()`.
    let member = call.starts_with('(');
    let (receiver, args) = match call.split_once(&format!(".{function}(")) {
        Some((receiver, args)) if member => (receiver.strip_prefix('(')?.strip_suffix(')'), args),
        _ => (None, call.strip_prefix(function)?.strip_prefix('(')?),
    };
    let mut type_params = vec![];
    let mut params = vec![];
    for text in receiver.into_iter().chain(split(args.strip_suffix(')')?)) {
        params.push(read_type(text, &mut type_params)?);
    }
    let result = read_type(result, &mut type_params)?;
    let cross_type = since == Availability::CrossType;
    let since = since.release();
    Some(Overload {
        id,
        function,
        signature,
        member,
        params,
        result,
        type_params,
        since,
        cross_type,
        declared,
    })
}

/// The parts between commas that are outside parentheses.
fn split(text: &'static str) -> Vec<&'static str> {
    let mut parts = vec![];
    let mut depth = 0;
    let mut start = 0;
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'(' => depth += 1,
            b')' => depth -= 1,
            b',' if depth == 0 => {
                parts.push(text.get(start..at).unwrap_or_default().trim());
                start = at + 1;
            }
            _ => {}
        }
    }
    let last = text.get(start..).unwrap_or_default().trim();
    if !last.is_empty() {
        parts.push(last);
    }
    parts
}

fn read_type(text: &'static str, type_params: &mut Vec<u32>) -> Option<Type> {
    if let Some((name, args)) = text.split_once('(') {
        let args = split(args.strip_suffix(')')?);
        let mut args = args.into_iter().map(|arg| read_type(arg, type_params));
        let first = args.next()??;
        return Some(match name {
            "list" => Type::list(first),
            "map" => Type::map(first, args.next()??),
            "optional_type" => Type::optional(first),
            "type" => Type::type_of(first),
            _ => return None,
        });
    }
    Some(match text {
        "dyn" => Type::Dyn,
        "bool" => Type::Bool,
        "int" => Type::Int,
        "uint" => Type::Uint,
        "double" => Type::Double,
        "string" => Type::String,
        "bytes" => Type::Bytes,
        "timestamp" => Type::Timestamp,
        "duration" => Type::Duration,
        "net.IP" => Type::IP,
        "net.CIDR" => Type::CIDR,
        _ => match text.as_bytes() {
            [letter @ b'A'..=b'Z'] => {
                let number = u32::from(letter - b'A');
                if !type_params.contains(&number) {
                    type_params.push(number);
                }
                Type::Param(number)
            }
            _ => Type::Object(TypeName::Static(text)),
        },
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

    use super::*;

    #[test]
    fn every_declared_signature_can_be_read() {
        let mut names = std::collections::BTreeSet::new();
        for function in TOPICS.iter().copied().flatten() {
            assert!(names.insert(function.name), "{} is declared twice", function.name);
            for signature in function.signatures {
                let text = signature.text;
                assert!(read_overload(function.name, signature).is_some(), "{}: {text}", function.name);
            }
        }
    }

    #[test]
    fn every_function_that_users_write_has_a_doc_line() {
        let internal =
            |name: &str| name.contains('@') || matches!(name, "in" | "_in_" | "__not_strictly_false__");
        for function in library().functions() {
            assert!(internal(function.name) || !function.doc.is_empty(), "{} has no doc line", function.name);
        }
    }

    #[test]
    fn only_functions_of_the_authorizer_are_not_implemented() {
        for overload in &library().overloads {
            let of_authorizer = overload.signature.starts_with("(kubernetes.authorization.");
            let is_never = matches!(overload.declared.run, crate::library::Run::Never);
            assert_eq!(is_never, of_authorizer, "{}", overload.id);
        }
    }

    #[test]
    fn namespaces_are_prefixes_of_function_names() {
        assert_eq!(library().namespaces, ["cel", "format", "ip", "lists", "optional", "sets", "strings"]);
    }

    #[test]
    fn a_signature_becomes_types() {
        let get_query = library().function("getQuery").unwrap().overloads().next().unwrap();
        assert!(get_query.member);
        assert_eq!(get_query.params, [Type::URL]);
        assert_eq!(get_query.result, Type::map(Type::String, Type::list(Type::String)));
        let index = library().function("_[_]").unwrap().overloads().find(|o| o.id == "index_map").unwrap();
        assert!(!index.member);
        assert_eq!(index.params, [Type::map(Type::Param(0), Type::Param(1)), Type::Param(0)]);
        assert_eq!(index.type_params, [0, 1]);
        assert_eq!(index.result, Type::Param(1));
    }
}
