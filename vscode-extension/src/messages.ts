// Validates messages from pages and from the server.

/** A request of a page to show a place of the text. */
export interface Reveal {
  readonly type: 'reveal';
  readonly place: { readonly line: number; readonly character: number };
}

/** Whether a message is such a request. Pages are untrusted, because they show text that somebody else wrote. */
export function isReveal(message: unknown): message is Reveal {
  if (typeof message !== 'object' || message === null) {
    return false;
  }
  const { type, place } = message as {
    type?: unknown;
    place?: { line?: unknown; character?: unknown } | null;
  };
  const isCount = (value: unknown) => Number.isSafeInteger(value) && (value as number) >= 0;
  return type === 'reveal' && typeof place === 'object' && isCount(place?.line) && isCount(place?.character);
}

/** The result of a rule for one value. */
export interface Result {
  readonly uri: string | null;
  readonly name: string;
  readonly path: string;
  readonly value: string | null;
  readonly error: string | null;
  readonly parts: readonly {
    readonly text: string;
    readonly values: readonly string[];
    readonly times: number;
  }[];
}

/** A rule with its place and its results. */
export interface Evaluated {
  readonly range: { readonly start: { readonly line: number }; readonly end: { readonly line: number } };
  readonly rule: string;
  readonly results: readonly Result[];
}

/** The results of all rules of a definition. */
export interface Evaluation {
  readonly kind: string;
  readonly isGenerated: boolean;
  readonly rules: readonly Evaluated[];
}

/** The maximum number of parts of a rule to show in one line. */
const MOST_PARTS = 4;

/** The text beside a rule: its result, then the values of its parts. Violations come first. */
export function beside({ results }: Evaluated, isGenerated: boolean): string | undefined {
  const failed = results.filter(({ value, error }) => value === 'false' || error !== null);
  const shown = failed[0] ?? results[0];
  if (shown === undefined) {
    return undefined;
  }
  const values = shown.parts
    .slice(0, MOST_PARTS)
    .map(({ text, values, times }) => `${text} = ${values.join(', ')}${times > values.length ? ', …' : ''}`);
  const on = isGenerated ? 'generated sample' : shown.name;
  const count = results.length === 1 ? '' : `, ${failed.length} of ${results.length} fail`;
  const value = shown.error === null ? (shown.value ?? 'not evaluated') : `error: ${shown.error}`;
  return [`⇒ ${value} (${on}${count})`, ...values].join(' · ');
}

/** Runs test cases of an open document. */
export const RUN_CASES = 'crd-ls.test.run';

/** The message about test cases that ran; undefined for other answers. */
export function outcome(answer: unknown): { text: string; hasFailed: boolean } | undefined {
  if (typeof answer !== 'object' || answer === null) {
    return undefined;
  }
  const { passed, failed, cases } = answer as { passed?: unknown; failed?: unknown; cases?: unknown };
  if (typeof passed !== 'number' || typeof failed !== 'number' || !Array.isArray(cases)) {
    return undefined;
  }
  const only = cases.length === 1 ? (cases[0] as { name?: unknown; failure?: unknown }) : undefined;
  if (typeof only?.name === 'string') {
    const why = typeof only.failure === 'string' ? `fails: ${only.failure}` : 'passes';
    return { text: `"${only.name}" ${why}`, hasFailed: failed > 0 };
  }
  const all = passed + failed;
  const count = all === 1 ? '1 test case' : `${all} test cases`;
  return { text: failed === 0 ? `${count}: all pass` : `${count}: ${failed} fail`, hasFailed: failed > 0 };
}
