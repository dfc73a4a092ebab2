/// A file of artificial CRDs with about `lines` lines that resemble generated ones: nested objects, lists, long descriptions.
/// The result for a number is always the same.
#[allow(dead_code)]
pub(crate) fn bundle(lines: usize) -> String {
    let mut text = String::with_capacity(lines * 60);
    let mut line = 0;
    let mut document = 0;
    while line < lines {
        let before = text.len();
        definition(&mut text, document, 11);
        document += 1;
        line += text.get(before..).unwrap_or_default().lines().count();
    }
    text
}

/// One CRD with about 1,400 lines.
#[allow(dead_code)]
pub(crate) fn single() -> String {
    let mut text = String::new();
    definition(&mut text, 0, 2);
    text
}

/// A resource of that CRD.
#[allow(dead_code)]
pub(crate) fn resource(number: usize) -> String {
    let mut text =
        format!("apiVersion: example.com/v1\nkind: Thing0\nmetadata:\n  name: thing{number}\nspec:\n");
    for group in 0..2 {
        text.push_str(&format!("  group{group}:\n    stringField40: {group}\n    integerField41: {number}\n    port4: http\n    nested4:\n"));
        for item in 0..8 {
            text.push_str(&format!("    - stringField30: item{item}\n      integerField31: {item}\n      booleanField32: true\n      port3: {item}\n"));
        }
    }
    text
}

fn definition(text: &mut String, number: usize, groups: usize) {
    text.push_str(&format!(
        "---\napiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata:\n  name: things{number}.example.com\n\
         spec:\n  group: example.com\n  names:\n    kind: Thing{number}\n    listKind: Thing{number}List\n    plural: things{number}\n    \
         singular: thing{number}\n  scope: Namespaced\n  versions:\n  - name: v1\n    schema:\n      openAPIV3Schema:\n        \
         description: A thing of the kind that generators write.\n        properties:\n          apiVersion:\n            type: string\n          \
         kind:\n            type: string\n          metadata:\n            type: object\n          spec:\n            properties:\n"
    ));
    for group in 0..groups {
        let pad = " ".repeat(14);
        text.push_str(&format!("{pad}group{group}:\n{pad}  description: |-\n{pad}    Group {group} holds settings that belong together.\n{pad}    See the manual for what they mean: each has a default.\n{pad}  properties:\n"));
        object(text, 18, 4);
        text.push_str(&format!("{pad}  type: object\n"));
    }
    text.push_str("            type: object\n        type: object\n    served: true\n    storage: true\n");
}

fn object(text: &mut String, column: usize, depth: usize) {
    let pad = " ".repeat(column);
    for (index, kind) in ["string", "integer", "boolean"].iter().enumerate() {
        // The number differs for each field, so that no block repeats an earlier one.
        let number = text.len();
        text.push_str(&format!(
            "{pad}{kind}Field{depth}{index}:\n{pad}  description: The {kind} that counts here, number {number} of all.\n{pad}  type: {kind}\n"
        ));
    }
    text.push_str(&format!("{pad}port{depth}:\n{pad}  anyOf:\n{pad}  - type: integer\n{pad}  - type: string\n{pad}  x-kubernetes-int-or-string: true\n"));
    if depth == 0 {
        return;
    }
    for name in ["nested", "other"] {
        text.push_str(&format!("{pad}{name}{depth}:\n{pad}  items:\n{pad}    properties:\n"));
        object(text, column + 6, depth - 1);
        text.push_str(&format!(
            "{pad}    required:\n{pad}    - stringField{}0\n{pad}    type: object\n{pad}  type: array\n",
            depth - 1
        ));
    }
}
