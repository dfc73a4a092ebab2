// What the server is told of the settings.

/** What `WorkspaceConfiguration.inspect` tells of a setting, as far as it matters here. */
export interface Inspected {
  readonly globalValue?: unknown;
  readonly workspaceValue?: unknown;
  readonly workspaceFolderValue?: unknown;
}

/** The settings that the server knows, under the same names; a dot is a level of its own. */
export const OF_SERVER = [
  'kubernetesVersion',
  'rules',
  'select',
  'ignore',
  'inlayHints.cost',
  'inlayHints.costFrom',
  'inlayHints.defaults',
  'codeLens.resources',
  'codeLens.evaluation',
  'crds',
  'fieldValidation',
  'compareWith',
  'compat.base',
  'compat.alpha',
  'format',
  'groupErrors',
  'experimental.featureGates',
  'experimental.unions',
  'cluster.enabled',
  'cluster.context',
] as const;

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

/** Whether the server shall offer to format definitions. */
export function formats(mode: unknown, otherFormats: boolean): boolean {
  switch (mode) {
    case 'always':
      return true;
    case 'never':
      return false;
    default:
      return !otherFormats;
  }
}

/** What the user has set, and no defaults: those would go before `.crd-ls.toml`. */
export function chosen(inspect: (name: string) => Inspected | undefined): Record<string, unknown> {
  const all: Record<string, unknown> = {};
  for (const name of OF_SERVER) {
    const { globalValue, workspaceValue, workspaceFolderValue } = inspect(name) ?? {};
    const value = workspaceFolderValue ?? workspaceValue ?? globalValue;
    const [group, member] = name.split('.');
    if (value !== undefined && group !== undefined) {
      all[group] = member === undefined ? value : { ...(all[group] as object | undefined), [member]: value };
    }
  }
  return all;
}
