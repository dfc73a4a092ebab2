// The settings that are sent to the server.

/** The relevant part of the result of `WorkspaceConfiguration.inspect`. */
export interface Inspected {
  readonly globalValue?: unknown;
  readonly workspaceValue?: unknown;
  readonly workspaceFolderValue?: unknown;
}

/** The settings that the server knows, with the same names. A dot starts a nested level. */
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

/** Whether the server should report errors that every YAML tool reports. */
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

/** Whether the server should offer to format definitions. */
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

/** The user's settings without defaults, which would take precedence over `.crd-ls.toml`. */
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
