// The report of `crd-ls check --output json`; its form is told in the project's README.

/** A place, in lines and UTF-16 units from 0. */
export interface Position {
  readonly line: number;
  readonly character: number;
}

export interface Finding {
  readonly code: string;
  readonly severity: 'error' | 'warning' | 'information' | 'hint';
  readonly message: string;
  readonly range: { readonly start: Position; readonly end: Position };
}

export interface Report {
  readonly files: readonly { readonly path: string; readonly diagnostics: readonly Finding[] }[];
}

/** The findings as the setting `crd-ls.rules` wants them: levels by code, or by the group before its slash. */
export function withLevels(findings: readonly Finding[], rules: unknown): Finding[] {
  const levels = (typeof rules === 'object' && rules !== null ? rules : {}) as Readonly<
    Record<string, unknown>
  >;
  return findings.flatMap((finding) => {
    const level = levels[finding.code] ?? levels[finding.code.split('/')[0] ?? ''];
    switch (level) {
      case 'off':
        return [];
      case 'error':
      case 'warning':
      case 'information':
      case 'hint':
        return [{ ...finding, severity: level }];
      default:
        return [finding];
    }
  });
}

/** An object that is not checked, as the server answers `crd-ls/notJudged`. */
export interface NotJudged {
  readonly apiVersion: string;
  readonly kind: string;
  readonly reason: string;
}

/** What the status says of objects without a definition; none where each has one. */
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

/** The setting `crd-ls.crds` with one more place. */
export function withPlace(crds: unknown, place: string): unknown[] {
  const places: unknown[] = Array.isArray(crds) ? crds : [];
  return places.includes(place) ? places : [...places, place];
}

/** The arguments for the setting `crd-ls.crds`. */
export function furtherDefinitions(crds: unknown): string[] {
  const places: unknown[] = Array.isArray(crds) ? crds : [];
  return places.filter((place) => typeof place === 'string').map((place) => `--crd=${place}`);
}

/** The version of the form that is read here. */
const SCHEMA_VERSION = 2;

export function readReport(text: string): Report {
  const report = JSON.parse(text) as Report & { schemaVersion?: unknown };
  if (report.schemaVersion !== SCHEMA_VERSION || !Array.isArray(report.files)) {
    throw new Error(
      `the report of this crd-ls has schema version ${String(report.schemaVersion)} instead of ${SCHEMA_VERSION}. ` +
        'Use the program of the extension.',
    );
  }
  return report;
}
