// Recognizes files that contain only CustomResourceDefinitions and resources of known kinds.

const KIND = /^kind:[ \t]*["']?(\w+)["']?[ \t]*(?:#.*)?$/m;
const API_VERSION = /^apiVersion:[ \t]*["']?([\w.-]+)\/(\w+)["']?[ \t]*(?:#.*)?$/m;
const SOMETHING = /^[ \t]*[^#\s%]/m;

/**
 * Whether `text` has documents and each is a CustomResourceDefinition or has a kind in `kinds` (such as
 * `Widget.example.com`), judging by their first lines.
 */
export function onlyOurs(text: string, kinds: ReadonlySet<string>): boolean {
  const documents = text
    .replaceAll('\r\n', '\n')
    .split(/^(?:---|\.\.\.)(?=\s|$)/m)
    .filter((document) => SOMETHING.test(document));
  return documents.length > 0 && documents.every((document) => isOurs(document, kinds));
}

function isOurs(document: string, kinds: ReadonlySet<string>): boolean {
  const kind = KIND.exec(document)?.[1] ?? '';
  const [, group = '', version = ''] = API_VERSION.exec(document) ?? [];
  if (kind === 'CustomResourceDefinition' && group === 'apiextensions.k8s.io') {
    return version === 'v1' || version === 'v1beta1';
  }
  return kinds.has(`${kind}.${group}`);
}

/** Signs of a definition, by language. In Go, they are signs of a generated definition. */
const DEFINITION: Readonly<Record<string, RegExp>> = {
  yaml: /^kind:[ \t]*["']?CustomResourceDefinition\b/m,
  json: /"kind"\s*:\s*"CustomResourceDefinition"/,
  go: /^[ \t]*\/\/[ \t]*\+(?:groupName=|kubebuilder:(?!rbac\b|webhook\b|scaffold\b))/m,
};

/** Whether a text in a language contains a definition, judging by its lines. */
export function hasDefinition(language: string, text: string): boolean {
  return DEFINITION[language]?.test(text) ?? false;
}

/** Whether the server supports a language. */
export function isServed(language: string): boolean {
  return language in DEFINITION;
}
