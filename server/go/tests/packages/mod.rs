//! Random Go packages.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use rand::seq::{IndexedRandom, SliceRandom};
use rand::{RngExt, SeedableRng};
use rand_xorshift::XorShiftRng;

const BASIC: [&str; 8] = ["string", "int", "int32", "int64", "bool", "[]byte", "uint8", "rune"];
const FOREIGN: [&str; 7] = [
    "metav1.Time",
    "metav1.Condition",
    "shared.Name",
    "shared.Sub",
    "shared.List",
    "shared.Dict",
    "shared.Alias",
];
const ODD: [&str; 9] = [
    "float64",
    "interface{}",
    "struct{ X int }",
    "map[int]string",
    "func()",
    "any",
    "(string)",
    "[3]int32",
    "chan int",
];
const WORDS: [&str; 18] = [
    "the",
    "value",
    "of: x",
    "# not",
    "\"quoted\"",
    "it's",
    "a\tb",
    "{curly}",
    "- dash",
    "TODO later",
    "---",
    "é",
    "日本",
    "a rather long word or more of them that fill a line",
    "`code`",
    "yes",
    "*",
    "http://a.b/c",
];
const VALUES: [&str; 21] = [
    "a",
    "\"b c\"",
    "`x`",
    "1",
    "-1",
    "1.5",
    "true",
    "{}",
    "{a: 1, b: \"x\"}",
    "{1,2}",
    "{a,b}",
    "a;b",
    "\"1\";\"2\"",
    "[]",
    "null",
    "100Mi",
    "a b",
    "{a:{b:1}}",
    "1;2;3",
    "x:y",
    "5m",
];
const FOR_BOTH: [&str; 36] = [
    "kubebuilder:validation:Maximum=10",
    "kubebuilder:validation:Maximum=5",
    "kubebuilder:validation:Minimum=1",
    "kubebuilder:validation:Minimum=0",
    "kubebuilder:validation:MaxLength=10",
    "kubebuilder:validation:MaxLength=5",
    "kubebuilder:validation:MinLength=1",
    "kubebuilder:validation:MaxItems=3",
    "kubebuilder:validation:MinItems=1",
    "kubebuilder:validation:MaxProperties=3",
    "kubebuilder:validation:MinProperties=3",
    "kubebuilder:validation:MultipleOf=2",
    "kubebuilder:validation:Enum=a;b",
    "kubebuilder:validation:Enum=1;2",
    "kubebuilder:validation:Pattern=^a$",
    "kubebuilder:validation:Pattern=`^b$`",
    "kubebuilder:validation:Format=email",
    "kubebuilder:validation:Type=string",
    "kubebuilder:validation:UniqueItems=true",
    "kubebuilder:validation:ExclusiveMaximum=true",
    "kubebuilder:validation:XIntOrString",
    "kubebuilder:validation:XPreserveUnknownFields",
    "kubebuilder:validation:XEmbeddedResource",
    "kubebuilder:validation:XValidation:rule=\"self == 1\",message=\"m, n\"",
    "kubebuilder:validation:XValidation:rule=`a`,reason=FieldValueInvalid,fieldPath=.x,optionalOldSelf=true",
    "listType=atomic",
    "listType=set",
    "listType=map",
    "listMapKey=a",
    "mapType=atomic",
    "structType=granular",
    "kubebuilder:validation:items:MaxLength=3",
    "kubebuilder:validation:items:Enum=a;b",
    "kubebuilder:pruning:PreserveUnknownFields",
    "kubebuilder:title=T",
    "kubebuilder:externalDocs:url=\"https://a.b\",description=x",
];
const FOR_FIELDS: [&str; 14] = [
    "optional",
    "required",
    "kubebuilder:validation:Optional",
    "kubebuilder:validation:Required",
    "k8s:optional",
    "k8s:required",
    "nullable",
    "kubebuilder:validation:Schemaless",
    "kubebuilder:validation:EmbeddedResource",
    "k8s:immutable",
    "k8s:maxItems=3 # c",
    "k8s:minimum=2",
    "k8s:listType=atomic",
    "unknown:marker=1",
];
const FOR_TYPES: [&str; 3] = [
    "kubebuilder:validation:ExactlyOneOf=a;b",
    "kubebuilder:validation:AtMostOneOf=b;c",
    "kubebuilder:validation:AtLeastOneOf=a",
];
const FOR_KINDS: [&str; 9] = [
    "kubebuilder:subresource:status",
    "kubebuilder:resource:shortName=x,scope=Cluster",
    "kubebuilder:printcolumn:name=\"A\",type=string,JSONPath=`.spec.a`",
    "kubebuilder:printcolumn:name=B,type=date,JSONPath=.x,priority=1",
    "kubebuilder:selectablefield:JSONPath=.spec.a",
    "kubebuilder:storageversion",
    "kubebuilder:deprecatedversion",
    "kubebuilder:metadata:annotations=\"a=b\",labels={x=y}",
    "kubebuilder:subresource:scale:specpath=.a,statuspath=.b",
];

/// Markers that controller-gen applies in random order.
const CHANCE: [&[&str]; 6] = [
    &["mapType", "structType"],
    &["k8s:immutable", "kubebuilder:validation:XValidation"],
    &["kubebuilder:validation:Type", "listType", "k8s:listType"],
    &["kubebuilder:validation:Minimum", "k8s:minimum"],
    &["kubebuilder:validation:MaxItems", "k8s:maxItems"],
    &[
        "k8s:required",
        "kubebuilder:validation:MinLength",
        "kubebuilder:validation:MinItems",
        "kubebuilder:validation:MinProperties",
    ],
];

const SHARED: &str = "package shared\n\n// Name is a name.\n// +kubebuilder:validation:MaxLength=9\ntype Name string\n\n// Sub is a part.\n\
                      type Sub struct {\n\t// A is a.\n\t// +optional\n\tA string `json:\"a\"`\n\tB Name `json:\"b,omitempty\"`\n}\n\n\
                      // +listType=atomic\ntype List []Sub\n\ntype Dict map[string]Name\n\ntype Alias = Sub\n";

pub(crate) struct PackageGenerator {
    random: XorShiftRng,
}

fn name(marker: &str) -> &str {
    let name = marker.split('=').next().unwrap_or(marker);
    name.strip_suffix(":rule").unwrap_or(name).trim_end()
}

impl PackageGenerator {
    pub(crate) fn new(seed: u64) -> Self {
        Self { random: XorShiftRng::seed_from_u64(seed) }
    }

    fn choose<'a>(&mut self, of: &[&'a str]) -> &'a str {
        of.choose(&mut self.random).copied().unwrap_or("string")
    }

    fn chance(&mut self, percent: u32) -> bool {
        self.random.random_range(0..100) < percent
    }

    fn upto(&mut self, most: usize) -> usize {
        self.random.random_range(0..=most)
    }

    /// Writes a module with this number of packages.
    pub(crate) fn module(&mut self, root: &Path, packages: usize) {
        let meta = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("../../fixtures/go/apimachinery")
            .canonicalize()
            .unwrap();
        let text = format!(
            "module example.com/random\n\ngo 1.24\n\nrequire k8s.io/apimachinery v0.0.0\n\nreplace k8s.io/apimachinery => {}\n",
            meta.display()
        );
        fs::write(root.join("go.mod"), text).unwrap();
        fs::create_dir(root.join("shared")).unwrap();
        fs::write(root.join("shared/shared.go"), SHARED).unwrap();
        for number in 0..packages {
            let folder = root.join(format!("p{number:04}"));
            fs::create_dir(&folder).unwrap();
            fs::write(folder.join("types.go"), self.package(number)).unwrap();
        }
    }

    fn package(&mut self, number: usize) -> String {
        let count = 2 + self.upto(4);
        let names: Vec<String> = (0..count).map(|at| format!("T{at}")).collect();
        let mut body = String::new();
        for at in 0..count {
            // Types refer only to later types. This avoids cycles, which controller-gen cuts at a random place.
            let later: Vec<&str> = names.iter().skip(at + 1).map(String::as_str).collect();
            self.declaration(&names[at], at == 0, &later, &mut body);
        }
        let all: Vec<&str> = names.iter().map(String::as_str).collect();
        self.doc("", &mut body);
        let markers = self.upto(4);
        self.markers(&[&FOR_KINDS, &FOR_BOTH[31..]], markers, "", &mut body);
        let _ = write!(
            body,
            "type Kind{number} struct {{\n\tmetav1.TypeMeta `json:\",inline\"`\n\tmetav1.ObjectMeta `json:\"metadata,omitempty\"`\n\
             \tSpec T0 `json:\"spec\"`\n"
        );
        for at in 0..self.upto(2) {
            self.field(&format!("S{at}"), &all, &mut body);
        }
        body.push_str("}\n");
        let optional = if self.chance(20) { "// +kubebuilder:validation:Optional\n" } else { "" };
        let shared = if body.contains("shared.") { "import \"example.com/random/shared\"\n" } else { "" };
        format!(
            "// +groupName=g{number}.example.com\n{optional}package v1\n\n{shared}import metav1 \"k8s.io/apimachinery/pkg/apis/meta/v1\"\n\n{body}"
        )
    }

    fn declaration(&mut self, name: &str, is_struct: bool, later: &[&str], body: &mut String) {
        self.doc("", body);
        let markers = self.upto(2);
        self.markers(&[&FOR_BOTH, &FOR_TYPES], markers, "", body);
        let kind = if is_struct { 0 } else { self.random.random_range(0..100) };
        let item = if self.chance(50) || later.is_empty() {
            self.choose(&["string", "int32"])
        } else {
            self.choose(later)
        };
        let _ = match kind {
            0..55 => {
                let _ = writeln!(body, "type {name} struct {{");
                if self.chance(25) && !later.is_empty() {
                    let star = self.choose(&["", "*"]);
                    let _ = writeln!(body, "\t{star}{} `json:\",inline\"`", self.choose(later));
                }
                for field in "ABCDEF".chars().take(self.upto(6)) {
                    self.field(&field.to_string(), later, body);
                }
                writeln!(body, "}}\n")
            }
            55..75 => writeln!(body, "type {name} {}\n", self.choose(&["string", "int32", "bool", "int64"])),
            75..85 => writeln!(body, "type {name} []{item}\n"),
            85..93 => writeln!(body, "type {name} map[string]{item}\n"),
            _ if later.is_empty() => writeln!(body, "type {name} string\n"),
            _ => {
                let equals = self.choose(&["", "= "]);
                writeln!(body, "type {name} {equals}{}\n", self.choose(later))
            }
        };
        if self.chance(8) && !body.contains(&format!("type {name} =")) {
            let _ = writeln!(body, "func (x {name}) MarshalJSON() ([]byte, error) {{ return nil, nil }}\n");
        }
    }

    fn field(&mut self, name: &str, later: &[&str], body: &mut String) {
        let (mut doc, mut markers) = (String::new(), String::new());
        self.doc("\t", &mut doc);
        let count = self.upto(3);
        self.markers(&[&FOR_BOTH, &FOR_FIELDS], count, "\t", &mut markers);
        if self.chance(15) {
            let which = self.choose(&["default", "default", "example"]);
            let _ = writeln!(markers, "\t// +kubebuilder:{which}={}", self.choose(&VALUES));
        }
        body.push_str(&match self.upto(9) {
            0 | 1 => format!("{markers}\n{doc}"),
            2 => format!("{markers}{doc}"),
            _ => format!("{doc}{markers}"),
        });
        let kind = self.kind(later, 0);
        let tag = self.tag(&name.to_lowercase());
        let _ = writeln!(body, "\t{name} {kind} {tag}");
    }

    fn kind(&mut self, later: &[&str], depth: usize) -> String {
        match self.random.random_range(0..100) {
            0..35 => self.choose(&BASIC).to_owned(),
            35..60 if !later.is_empty() => self.choose(later).to_owned(),
            35..75 => self.choose(&FOREIGN).to_owned(),
            _ if depth > 2 => "string".to_owned(),
            75..83 => format!("*{}", self.kind(later, depth + 1)),
            83..92 => format!("[]{}", self.kind(later, depth + 1)),
            92..98 => format!("map[string]{}", self.kind(later, depth + 1)),
            _ => self.choose(&ODD).to_owned(),
        }
    }

    fn tag(&mut self, name: &str) -> String {
        match self.random.random_range(0..100) {
            0..50 => format!("`json:\"{name},omitempty\"`"),
            50..80 => format!("`json:\"{name}\"`"),
            80..85 => format!("`json:\"{name},omitzero\" yaml:\"x\"`"),
            85..88 => format!("\"json:\\\"{name}\\\"\""),
            88..90 => "`json:\"-\"`".to_owned(),
            90..92 => String::new(),
            92..94 => "`json:\",omitempty\"`".to_owned(),
            _ => format!("`json:\"{name}-{}\"`", self.upto(12)),
        }
    }

    fn doc(&mut self, indent: &str, body: &mut String) {
        if self.chance(40) {
            return;
        }
        for _ in 0..=self.upto(3) {
            let words: Vec<&str> = (0..self.upto(6)).map(|_| self.choose(&WORDS)).collect();
            let _ = writeln!(body, "{indent}// {}", words.join(" "));
            if self.chance(15) {
                let _ = writeln!(body, "{indent}//");
            }
        }
    }

    fn markers(&mut self, pools: &[&[&str]], count: usize, indent: &str, body: &mut String) {
        let pool: Vec<&str> = pools.iter().flat_map(|pool| pool.iter().copied()).collect();
        let mut taken: Vec<&str> = Vec::new();
        for _ in 0..count {
            let marker = self.choose(&pool);
            let clashes = CHANCE.iter().any(|group| {
                let other = |taken: &&str| group.contains(&name(taken)) && name(taken) != name(marker);
                group.contains(&name(marker)) && taken.iter().any(other)
            });
            if !clashes {
                taken.push(marker);
            }
        }
        taken.shuffle(&mut self.random);
        for marker in taken {
            let _ = writeln!(body, "{indent}// +{marker}");
        }
    }
}
