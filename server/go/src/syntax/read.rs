//! Converts the syntax tree of tree-sitter to the model.

use std::num::NonZeroU16;
use std::path::Path;
use std::sync::Arc;

use memchr::memchr_iter;
use tree_sitter::{Language, Node, Parser};

use super::condensed::{CondensedText, Places, condensed};
use super::{
    Constant, Declaration, DeclarationKind, DerivedData, EncodingMethod, Expr, ExprKind, Field, File, Ident,
    Import, Integer, Marshaler, Span, Spec, SyntaxError, Tag, TypeDeclaration, comments,
};
use crate::strings::unquoted;

/// The maximum depth of nested types.
const MAX_DEPTH: usize = 64;

/// The maximum number of syntax errors to report for a file.
const MAX_ERRORS: usize = 10;

/// Parses Go.
pub struct Reader {
    parser: Parser,
    fields: FieldIds,
}

/// The IDs of the grammar's fields. Looking up their names takes longer than following them.
#[derive(Clone, Copy)]
struct FieldIds {
    element: NonZeroU16,
    key: NonZeroU16,
    kind: NonZeroU16,
    name: NonZeroU16,
    package: NonZeroU16,
    parameters: NonZeroU16,
    path: NonZeroU16,
    receiver: NonZeroU16,
    result: NonZeroU16,
    tag: NonZeroU16,
    type_arguments: NonZeroU16,
    type_parameters: NonZeroU16,
    value: NonZeroU16,
}

impl FieldIds {
    /// The field IDs of a grammar; `None` if it is not the grammar of Go.
    fn of(language: &Language) -> Option<Self> {
        let id = |name| language.field_id_for_name(name);
        Some(Self {
            element: id("element")?,
            key: id("key")?,
            kind: id("type")?,
            name: id("name")?,
            package: id("package")?,
            parameters: id("parameters")?,
            path: id("path")?,
            receiver: id("receiver")?,
            result: id("result")?,
            tag: id("tag")?,
            type_arguments: id("type_arguments")?,
            type_parameters: id("type_parameters")?,
            value: id("value")?,
        })
    }
}

impl std::fmt::Debug for Reader {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Reader").finish_non_exhaustive()
    }
}

impl Reader {
    /// A reader; `None` if the parser does not support the grammar.
    #[must_use]
    pub fn new() -> Option<Self> {
        let mut parser = Parser::new();
        let language = tree_sitter_go::LANGUAGE.into();
        parser.set_language(&language).ok()?;
        Some(Self { parser, fields: FieldIds::of(&language)? })
    }

    /// Parses a file.
    pub fn read(&mut self, path: &Path, text: String) -> Option<File> {
        let mut file = self.read_part(path, text)?.0;
        if file.package.name.is_empty() {
            file.errors.push(SyntaxError { span: Span::default(), message: "expected 'package'".to_owned() });
        }
        Some(file)
    }

    /// Parses a part of a file, which may lack the package clause. Returns whether it has only types, constants and
    /// functions.
    pub(super) fn read_part(&mut self, path: &Path, text: String) -> Option<(File, bool)> {
        let CondensedText { text: condensed, places, comments, markers } = condensed(&text);
        let tree = self.parser.parse(condensed, None)?;
        let root = tree.root_node();
        let lines =
            std::iter::once(0).chain(memchr_iter(b'\n', text.as_bytes()).map(|at| at as u32 + 1)).collect();
        let file = File {
            path: path.to_owned(),
            text,
            package: Ident { name: Arc::default(), span: Span::default() },
            package_start: 0,
            imports: Vec::new(),
            declarations: Vec::new(),
            marshalers: Vec::new(),
            comments,
            groups: Vec::new(),
            errors: Vec::new(),
            lines,
            unread: markers,
            derived: DerivedData::default(),
        };
        let mut reading = FileReader { file, places, fields: self.fields };
        reading.drop_inner_comments(root);
        reading.file.groups = comments::groups(&reading.file.text, &reading.file.comments);
        if root.has_error() {
            reading.collect_errors(root);
        }
        let mut is_plain = true;
        for child in root.named_children(&mut root.walk()) {
            is_plain &= matches!(
                child.kind(),
                "type_declaration" | "const_declaration" | "function_declaration" | "method_declaration"
            );
            reading.read(child);
        }
        Some((reading.file, is_plain))
    }
}

/// A file that is being parsed.
struct FileReader {
    file: File,
    places: Places,
    fields: FieldIds,
}

impl FileReader {
    fn span(&self, node: Node<'_>) -> Span {
        self.places.span(Span { start: node.start_byte() as u32, end: node.end_byte() as u32 })
    }

    /// Drops the comments within functions and values.
    fn drop_inner_comments(&mut self, root: Node<'_>) {
        let mut outer = Vec::with_capacity(self.file.comments.len());
        let mut comments = self.file.comments.iter().copied().peekable();
        // Visits the nodes in the order of the text.
        let mut pending = vec![root];
        while let Some(node) = pending.pop() {
            match node.kind() {
                "function_declaration" | "method_declaration" | "var_declaration" | "expression_list" => {
                    let span = self.span(node);
                    outer.extend(std::iter::from_fn(|| {
                        comments.next_if(|comment| comment.start < span.start)
                    }));
                    while comments.next_if(|comment| comment.end <= span.end).is_some() {}
                }
                "source_file" | "const_declaration" | "const_spec" => push_children(node, &mut pending),
                _ if node.has_error() => push_children(node, &mut pending),
                _ => {}
            }
        }
        outer.extend(comments);
        self.file.comments = outer;
    }

    fn collect_errors(&mut self, root: Node<'_>) {
        let mut pending = vec![root];
        while let Some(node) = pending.pop() {
            if self.file.errors.len() >= MAX_ERRORS {
                return;
            }
            let span = self.span(node);
            if node.is_missing() {
                let message = format!("expected '{}'", node.kind());
                self.file.errors.push(SyntaxError { span, message });
            } else if node.is_error() {
                let found = self.file.slice(span).split_whitespace().next().unwrap_or("end of file");
                let message = format!("unexpected '{}'", found.chars().take(40).collect::<String>());
                self.file.errors.push(SyntaxError { span, message });
            } else if node.has_error() {
                push_children(node, &mut pending);
            }
        }
    }

    fn node_text(&self, node: Node<'_>) -> String {
        self.file.slice(self.span(node)).to_owned()
    }

    fn ident(&self, node: Node<'_>) -> Ident {
        Ident { name: self.node_text(node).into(), span: self.span(node) }
    }

    fn spec(&self, node: Node<'_>) -> Spec {
        let span = self.span(node);
        Spec { span, doc: self.file.doc_above(span.start), comment: self.file.comment_after(span.end) }
    }

    fn read(&mut self, node: Node<'_>) {
        let kind = match node.kind() {
            "package_clause" => {
                if let Some(name) = node.named_children(&mut node.walk()).find(|child| !child.is_extra()) {
                    self.file.package = self.ident(name);
                    self.file.package_start = self.span(node).start;
                }
                return;
            }
            "import_declaration" => DeclarationKind::Other(self.read_imports(node)),
            "var_declaration" => DeclarationKind::Other(Vec::new()),
            "const_declaration" => DeclarationKind::Const(self.read_constants(node)),
            "type_declaration" => {
                let mut types = Vec::new();
                for child in node.named_children(&mut node.walk()) {
                    types.extend(self.read_type(child));
                }
                let in_parentheses = node.children(&mut node.walk()).any(|child| child.kind() == "(");
                if !in_parentheses {
                    // The comments above belong to the declaration.
                    types.iter_mut().for_each(|declared| declared.spec.doc = None);
                }
                DeclarationKind::Type(types, in_parentheses)
            }
            "function_declaration" => DeclarationKind::Func,
            "method_declaration" => {
                self.read_method(node);
                DeclarationKind::Func
            }
            _ => return,
        };
        let span = self.span(node);
        let doc = self.file.doc_above(span.start);
        self.file.declarations.push(Arc::new(Declaration { kind, span, doc }));
    }

    fn read_imports(&mut self, node: Node<'_>) -> Vec<Spec> {
        let mut specs = Vec::new();
        let mut pending: Vec<Node<'_>> = node.named_children(&mut node.walk()).collect();
        pending.reverse();
        while let Some(child) = pending.pop() {
            match child.kind() {
                "import_spec_list" => {
                    let mut inner: Vec<Node<'_>> = child.named_children(&mut child.walk()).collect();
                    inner.reverse();
                    pending.extend(inner);
                }
                "import_spec" => {
                    let name =
                        child.child_by_field_id(self.fields.name.get()).map(|name| self.node_text(name));
                    if let Some(path) = child.child_by_field_id(self.fields.path.get())
                        && let Some(text) = unquoted(self.file.slice(self.span(path)))
                    {
                        self.file.imports.push(Import { name, path: text, span: self.span(path) });
                    }
                    let mut spec = self.spec(child);
                    if node.child(1).is_some_and(|second| second.id() == child.id()) {
                        spec.doc = None;
                    }
                    specs.push(spec);
                }
                _ => {}
            }
        }
        specs
    }

    fn read_constants(&self, node: Node<'_>) -> Vec<Constant> {
        let in_parentheses = node.children(&mut node.walk()).any(|child| child.kind() == "(");
        let specs = node
            .named_children(&mut node.walk())
            .filter(|child| child.kind() == "const_spec")
            .collect::<Vec<_>>();
        let constants = specs.into_iter().map(|child| {
            let mut cursor = child.walk();
            let names = child.children_by_field_id(self.fields.name, &mut cursor);
            let names = names.filter(Node::is_named).map(|name| self.ident(name)).collect();
            let kind = child
                .child_by_field_id(self.fields.kind.get())
                .filter(|kind| kind.kind() == "type_identifier");
            let written = child.child_by_field_id(self.fields.value.get()).map_or_else(Vec::new, |list| {
                let mut cursor = list.walk();
                let values = list.named_children(&mut cursor);
                values.filter(|value| !value.is_extra()).collect::<Vec<_>>()
            });
            let values = written.iter().map(|value| self.literal(*value)).collect();
            let integers = written.iter().map(|value| self.integer(*value)).collect();
            let mut spec = self.spec(child);
            if !in_parentheses {
                spec.doc = None;
            }
            Constant { spec, names, kind: kind.map(|kind| self.node_text(kind)), values, integers }
        });
        constants.collect()
    }

    fn literal(&self, node: Node<'_>) -> Option<String> {
        let is_text = matches!(node.kind(), "interpreted_string_literal" | "raw_string_literal");
        if is_text { unquoted(self.file.slice(self.span(node))) } else { None }
    }

    /// A number, `iota`, or the sum of the two.
    fn integer(&self, node: Node<'_>) -> Option<Integer> {
        match node.kind() {
            "iota" => Some(Integer { has_iota: true, plus: 0 }),
            "int_literal" => {
                let written = self.file.slice(self.span(node));
                // Octal numbers start with a zero.
                let is_decimal = written.len() == 1 || !written.starts_with('0');
                Some(Integer { has_iota: false, plus: written.parse().ok().filter(|_| is_decimal)? })
            }
            "binary_expression" if node.child(1)?.kind() == "+" => {
                let (one, other) = (self.term(node.child(0)?)?, self.term(node.child(2)?)?);
                let plus = one.plus.checked_add(other.plus)?;
                let has_iota = one.has_iota || other.has_iota;
                (!(one.has_iota && other.has_iota)).then_some(Integer { has_iota, plus })
            }
            _ => None,
        }
    }

    /// A term of a sum, which must not be a sum itself.
    fn term(&self, node: Node<'_>) -> Option<Integer> {
        if node.kind() == "binary_expression" { None } else { self.integer(node) }
    }

    fn read_type(&self, node: Node<'_>) -> Option<TypeDeclaration> {
        let is_alias = match node.kind() {
            "type_spec" => false,
            "type_alias" => true,
            _ => return None,
        };
        let name = self.ident(node.child_by_field_id(self.fields.name.get())?);
        let parameters =
            node.child_by_field_id(self.fields.type_parameters.get()).map_or_else(Vec::new, |list| {
                let declared: Vec<Node<'_>> = list.named_children(&mut list.walk()).collect();
                let names = declared.into_iter().flat_map(|parameter| {
                    parameter
                        .children_by_field_id(self.fields.name, &mut parameter.walk())
                        .collect::<Vec<_>>()
                });
                names.map(|name| self.node_text(name)).collect()
            });
        let expr = self.expr(node.child_by_field_id(self.fields.kind.get())?, 0);
        Some(TypeDeclaration { spec: self.spec(node), name, is_alias, parameters, expr })
    }

    /// The type expression of a node, up to the maximum depth.
    fn expr(&self, node: Node<'_>, depth: usize) -> Expr {
        let whole = self.span(node);
        let kind = self.expr_kind(node, depth).unwrap_or(ExprKind::Other);
        Expr { span: whole, kind }
    }

    fn inner(&self, node: Option<Node<'_>>, depth: usize) -> Option<Box<Expr>> {
        Some(Box::new(self.expr(node?, depth + 1)))
    }

    fn expr_kind(&self, node: Node<'_>, depth: usize) -> Option<ExprKind> {
        if depth > MAX_DEPTH {
            return None;
        }
        let first = || node.named_children(&mut node.walk()).find(|child| !child.is_extra());
        Some(match node.kind() {
            "type_identifier" | "identifier" => ExprKind::Ident(self.node_text(node).into()),
            "qualified_type" => ExprKind::Qualified(
                self.node_text(node.child_by_field_id(self.fields.package.get())?).into(),
                self.node_text(node.child_by_field_id(self.fields.name.get())?).into(),
            ),
            "pointer_type" => ExprKind::Pointer(self.inner(first(), depth)?),
            "slice_type" => {
                ExprKind::Slice(self.inner(node.child_by_field_id(self.fields.element.get()), depth)?)
            }
            "array_type" => {
                ExprKind::Array(self.inner(node.child_by_field_id(self.fields.element.get()), depth)?)
            }
            "map_type" => ExprKind::Map(
                self.inner(node.child_by_field_id(self.fields.key.get()), depth)?,
                self.inner(node.child_by_field_id(self.fields.value.get()), depth)?,
            ),
            "parenthesized_type" => ExprKind::Paren(self.inner(first(), depth)?),
            "generic_type" => {
                let arguments = node.child_by_field_id(self.fields.type_arguments.get())?;
                let elements: Vec<Node<'_>> = arguments.named_children(&mut arguments.walk()).collect();
                let inner = elements.into_iter().filter_map(|element| {
                    element.named_children(&mut element.walk()).find(|child| !child.is_extra())
                });
                let inner = inner.map(|inner| self.expr(inner, depth + 1)).collect();
                ExprKind::Instance(self.inner(node.child_by_field_id(self.fields.kind.get()), depth)?, inner)
            }
            "struct_type" => {
                let list = node
                    .named_children(&mut node.walk())
                    .find(|child| child.kind() == "field_declaration_list");
                let fields = list.map_or_else(Vec::new, |list| {
                    let fields = list.named_children(&mut list.walk()).collect::<Vec<_>>();
                    fields.into_iter().filter_map(|field| self.field(field, depth)).collect()
                });
                ExprKind::Struct(fields)
            }
            "interface_type" => self.interface(node, depth),
            "function_type" => ExprKind::Func,
            "channel_type" => ExprKind::Chan,
            _ => return None,
        })
    }

    fn interface(&self, node: Node<'_>, depth: usize) -> ExprKind {
        let mut methods = Vec::new();
        let mut embedded = Vec::new();
        for child in node.named_children(&mut node.walk()).collect::<Vec<_>>() {
            match child.kind() {
                "method_elem" => methods
                    .extend(child.child_by_field_id(self.fields.name.get()).map(|name| self.node_text(name))),
                "type_elem" => {
                    let inner = child.named_children(&mut child.walk()).find(|inner| !inner.is_extra());
                    embedded.extend(inner.map(|inner| self.expr(inner, depth + 1)));
                }
                _ => {}
            }
        }
        ExprKind::Interface(methods, embedded)
    }

    fn field(&self, node: Node<'_>, depth: usize) -> Option<Field> {
        if node.kind() != "field_declaration" {
            return None;
        }
        let mut cursor = node.walk();
        let names = node.children_by_field_id(self.fields.name, &mut cursor);
        let names: Vec<Ident> = names.filter(Node::is_named).map(|name| self.ident(name)).collect();
        let declared = node.child_by_field_id(self.fields.kind.get())?;
        let mut expr = self.expr(declared, depth + 1);
        // The `*` of an embedded pointer belongs to the field.
        if let Some(star) = node.children(&mut node.walk()).find(|child| child.kind() == "*") {
            let whole = Span { start: self.span(star).start, end: expr.span.end };
            expr = Expr { span: whole, kind: ExprKind::Pointer(Box::new(expr)) };
        }
        let tag = node.child_by_field_id(self.fields.tag.get()).map(|tag| Tag {
            text: unquoted(self.file.slice(self.span(tag))).unwrap_or_default().into(),
            span: self.span(tag),
        });
        Some(Field { spec: self.spec(node), names, expr, tag })
    }

    fn read_method(&mut self, node: Node<'_>) {
        let marshaler = || {
            let name = self.file.slice(self.span(node.child_by_field_id(self.fields.name.get())?));
            let encoding = [EncodingMethod::Json, EncodingMethod::Text]
                .into_iter()
                .find(|encoding| encoding.method() == name)?;
            let parameters = node.child_by_field_id(self.fields.parameters.get())?;
            let result = node.child_by_field_id(self.fields.result.get())?;
            let is_empty = parameters.named_children(&mut parameters.walk()).all(|child| child.is_extra());
            let mut cursor = result.walk();
            let kinds = result
                .named_children(&mut cursor)
                .filter_map(|child| child.child_by_field_id(self.fields.kind.get()));
            let kinds: Vec<String> = kinds.map(|kind| self.node_text(kind)).collect();
            let results: Vec<&str> = kinds.iter().map(String::as_str).collect();
            if !is_empty || !matches!(results.as_slice(), ["[]byte" | "[]uint8", "error"]) {
                return None;
            }
            let receiver = node.child_by_field_id(self.fields.receiver.get())?;
            let receiver = receiver
                .named_children(&mut receiver.walk())
                .find_map(|child| child.child_by_field_id(self.fields.kind.get()))?;
            let text = self.file.slice(self.span(receiver)).trim_start_matches(['*', '(', ' ']);
            let end = text.find(|ch: char| !(ch.is_alphanumeric() || ch == '_')).unwrap_or(text.len());
            Some(Marshaler { receiver: text.get(..end)?.into(), encoding })
        };
        let found = marshaler();
        self.file.marshalers.extend(found);
    }
}

/// Pushes the children of a node, so that the first one is visited next.
fn push_children<'t>(node: Node<'t>, pending: &mut Vec<Node<'t>>) {
    let before = pending.len();
    pending.extend(node.children(&mut node.walk()));
    if let Some(children) = pending.get_mut(before..) {
        children.reverse();
    }
}
