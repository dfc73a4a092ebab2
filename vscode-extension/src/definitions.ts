// Which files hold nothing but CustomResourceDefinitions.

const KIND = /^kind:[ \t]*["']?CustomResourceDefinition["']?[ \t]*(?:#.*)?$/m;
const GROUP = /^apiVersion:[ \t]*["']?apiextensions\.k8s\.io\/v1(?:beta1)?["']?[ \t]*(?:#.*)?$/m;
const SOMETHING = /^[ \t]*[^#\s%]/m;

/** Whether `text` has documents and each is a CustomResourceDefinition, as far as their first lines tell. */
export function onlyDefinitions(text: string): boolean {
  const documents = text
    .replaceAll('\r\n', '\n')
    .split(/^(?:---|\.\.\.)(?=\s|$)/m)
    .filter((document) => SOMETHING.test(document));
  return documents.length > 0 && documents.every((document) => KIND.test(document) && GROUP.test(document));
}
