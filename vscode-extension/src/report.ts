// The server's report on objects that are not checked.

/** An object that is not checked, as the server answers `crd-ls/notJudged`. */
export interface NotJudged {
  readonly apiVersion: string;
  readonly kind: string;
  readonly reason: string;
}

/** The status text for objects without a definition; undefined if each has one. */
export function withoutDefinition(notJudged: readonly NotJudged[]): string | undefined {
  const missing = notJudged.filter(({ reason }) => reason === 'no-definition');
  const kinds = [...new Set(missing.map(({ kind }) => kind))];
  const [first] = kinds;
  if (first === undefined) {
    return undefined;
  }
  const others = kinds.length === 1 ? '' : ` and ${kinds.length - 1} more`;
  return `no definition of ${first}${others} in this workspace`;
}

/** Objects that are skipped although they may have a definition, by reason: the singular and the plural. */
const LEFT_OUT: ReadonlyMap<string, readonly [string, string]> = new Map([
  ['unreadable', ['unreadable document', 'unreadable documents']],
  ['template', ['template', 'templates']],
  ['patch', ['patch', 'patches']],
]);

/** The status text for documents that are not checked for another reason; undefined if there are none. */
export function leftOut(notJudged: readonly NotJudged[]): string | undefined {
  for (const [reason, [one, several]] of LEFT_OUT) {
    const count = notJudged.filter((object) => object.reason === reason).length;
    if (count > 0) {
      return `${count} ${count === 1 ? one : several}`;
    }
  }
  return undefined;
}

/** The setting `crd-ls.crds` with one more place. */
export function withPlace(crds: unknown, place: string): unknown[] {
  const places: unknown[] = Array.isArray(crds) ? crds : [];
  return places.includes(place) ? places : [...places, place];
}
