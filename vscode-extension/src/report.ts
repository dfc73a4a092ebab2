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

/** The version of the form that is read here. */
const SCHEMA_VERSION = 1;

export function readReport(text: string): Report {
  const report = JSON.parse(text) as Report & { schemaVersion?: unknown };
  if (report.schemaVersion !== SCHEMA_VERSION || !Array.isArray(report.files)) {
    throw new Error(
      `the report of this crd-ls has the form ${String(report.schemaVersion)}; form ${SCHEMA_VERSION} was expected. ` +
        'Use the program that came with the extension.',
    );
  }
  return report;
}
