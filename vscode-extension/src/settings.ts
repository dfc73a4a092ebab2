// What the server is told of the settings.

/** What `WorkspaceConfiguration.inspect` tells of a setting, as far as it matters here. */
export interface Inspected {
  readonly globalValue?: unknown;
  readonly workspaceValue?: unknown;
  readonly workspaceFolderValue?: unknown;
}

/** The settings that the server knows, under the same names. */
export const OF_SERVER = ['kubernetesVersion', 'rules'] as const;

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

/** What the user has set, and no defaults: those would go before `.crd-ls.toml`. */
export function chosen(inspect: (name: string) => Inspected | undefined): Record<string, unknown> {
  const entries = OF_SERVER.map((name) => {
    const { globalValue, workspaceValue, workspaceFolderValue } = inspect(name) ?? {};
    return [name, workspaceFolderValue ?? workspaceValue ?? globalValue] as const;
  });
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}
