// What the server is told of the settings.

/** The values of `crd-ls.yaml.syntaxErrors`. */
export type SyntaxErrors = 'auto' | 'always' | 'never';

/** Settings that the server has no use for. */
const OURS = ['server', 'trace', 'yaml'];

/** Whether the server shall report what every YAML tool reports. */
export function reportsSyntaxErrors(mode: unknown, otherReports: boolean): boolean {
  switch (mode) {
    case 'always':
      return true;
    case 'never':
      return false;
    default:
      return !otherReports;
  }
}

/** The section `crd-ls` as the server reads it. */
export function forServer(section: Readonly<Record<string, unknown>>, otherReports: boolean): object {
  const sent = Object.entries(section).filter(([name]) => !OURS.includes(name));
  const yaml = section.yaml as { syntaxErrors?: unknown } | undefined;
  return { ...Object.fromEntries(sent), syntaxErrors: reportsSyntaxErrors(yaml?.syntaxErrors, otherReports) };
}
