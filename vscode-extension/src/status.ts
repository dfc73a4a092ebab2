// The language status item: the Kubernetes release, whether the server runs, and which definitions it knows.

import * as vscode from 'vscode';
import { definitionsKnown } from './problems.ts';
import { leftOut, withoutDefinition, withPlace } from './report.ts';
import type { Session } from './session.ts';

/** The delay after a change of a text or a setting before it is queried, in milliseconds. */
const SETTLED_AFTER = 100;

/** The status item beside the language of a YAML file. */
export class Status implements vscode.Disposable {
  /** The Kubernetes release for the open file, if known. */
  version: string | undefined;
  private readonly item: vscode.LanguageStatusItem;
  /** Parts of the open file that are not checked, with a way to change that; present only if there are such parts. */
  private readonly selector: vscode.DocumentSelector;
  private missing: vscode.LanguageStatusItem | undefined;
  private readonly session: Session;
  private readonly subscriptions: readonly { dispose(): unknown }[];
  private timer: NodeJS.Timeout | undefined;

  constructor(selector: vscode.DocumentSelector, session: Session) {
    this.session = session;
    this.selector = selector;
    this.item = vscode.languages.createLanguageStatusItem('crd-ls.status', selector);
    this.item.name = 'crd-ls';
    const later = (): void => {
      clearTimeout(this.timer);
      this.timer = setTimeout(() => void this.ask(selector), SETTLED_AFTER);
    };
    // A project's settings may change in another file.
    const files = vscode.workspace.createFileSystemWatcher('**/.crd-ls.toml');
    this.subscriptions = [
      this.item,
      files,
      files.onDidChange(later),
      files.onDidCreate(later),
      files.onDidDelete(later),
      session.onDidChange(() => {
        this.show();
        later();
      }),
      vscode.window.onDidChangeActiveTextEditor(later),
      // Other files may have added or removed definitions, and the kinds here may have changed.
      vscode.languages.onDidChangeDiagnostics(later),
      vscode.workspace.onDidSaveTextDocument(later),
      vscode.workspace.onDidChangeConfiguration(later),
    ];
    this.show();
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.missing?.dispose();
    for (const subscription of this.subscriptions) {
      subscription.dispose();
    }
  }

  private async ask(selector: vscode.DocumentSelector): Promise<void> {
    const document = vscode.window.activeTextEditor?.document;
    if (document !== undefined && vscode.languages.match(selector, document) > 0) {
      try {
        this.version = await this.session.kubernetesVersion(document);
        const notJudged = await this.session.notJudged(document);
        const missing = withoutDefinition(notJudged);
        this.showUnchecked(missing ?? leftOut(notJudged), missing !== undefined);
      } catch {
        // The text has changed meanwhile, or the server has ended. The known state stays.
      }
      this.show();
    }
  }

  private showUnchecked(text: string | undefined, isMissing: boolean): void {
    if (text === undefined) {
      this.missing?.dispose();
      this.missing = undefined;
      return;
    }
    this.missing ??= vscode.languages.createLanguageStatusItem('crd-ls.missing', this.selector);
    this.missing.name = 'crd-ls definitions';
    const { Information, Warning } = vscode.LanguageStatusSeverity;
    this.missing.severity = isMissing ? Warning : Information;
    this.missing.text = text;
    this.missing.detail = 'not checked';
    this.missing.command = isMissing
      ? { title: 'Add Definitions', command: 'crd-ls.addDefinitions' }
      : undefined;
  }

  private show(): void {
    const state = this.session.current;
    const { index } = this.session;
    this.item.busy = state.kind === 'starting' || index?.isComplete === false;
    this.item.text = this.version === undefined ? 'Kubernetes' : `Kubernetes ${this.version}`;
    this.item.command = { title: 'Change', command: 'crd-ls.selectKubernetesVersion' };
    this.item.severity = vscode.LanguageStatusSeverity.Information;
    this.item.detail = 'crd-ls';
    if (state.kind === 'running') {
      const restricted = vscode.workspace.isTrusted
        ? ''
        : '; Restricted Mode: settings of the workspace are ignored';
      const limits = this.session.limits === '' ? '' : `; ${this.session.limits}`;
      const known = index === undefined ? '' : `; ${definitionsKnown(index)}`;
      this.item.detail = `crd-ls ${state.server.version} (${state.server.origin})${known}${restricted}${limits}`;
    }
    if (state.kind === 'failed') {
      this.item.severity = vscode.LanguageStatusSeverity.Error;
      this.item.text = 'crd-ls is not running';
      this.item.detail = state.reason;
      this.item.command = { title: 'Restart', command: 'crd-ls.restartServer' };
    }
  }
}

/** Asks for a version and saves it where it is already set, or otherwise in the workspace. */
export async function selectKubernetesVersion(
  versions: readonly string[],
  current: string | undefined,
): Promise<void> {
  const items = [...versions].reverse().map((version) => ({
    label: version,
    description: version === current ? 'selected' : '',
  }));
  const title = 'The Kubernetes release to check against';
  const chosen = await vscode.window.showQuickPick(items, { title });
  if (chosen === undefined) {
    return;
  }
  const configuration = vscode.workspace.getConfiguration('crd-ls');
  const set = configuration.inspect('kubernetesVersion');
  const isOfUser = set?.workspaceValue === undefined && set?.globalValue !== undefined;
  const isOfWindow = isOfUser || vscode.workspace.workspaceFolders === undefined;
  const target = isOfWindow ? vscode.ConfigurationTarget.Global : vscode.ConfigurationTarget.Workspace;
  await configuration.update('kubernetesVersion', chosen.label, target);
}

/** Asks for files or a folder with definitions, and adds them to the setting `crd-ls.crds`. */
export async function addDefinitions(): Promise<void> {
  const chosen = await vscode.window.showOpenDialog({
    title: 'Files or folders with CustomResourceDefinitions',
    openLabel: 'Add Definitions',
    canSelectFiles: true,
    canSelectFolders: true,
    canSelectMany: true,
    filters: { 'YAML and JSON': ['yaml', 'yml', 'json'] },
  });
  if (chosen === undefined) {
    return;
  }
  const configuration = vscode.workspace.getConfiguration('crd-ls');
  // Restricted Mode ignores the settings of a workspace.
  const hasWorkspace = vscode.workspace.workspaceFolders !== undefined && vscode.workspace.isTrusted;
  const target = hasWorkspace ? vscode.ConfigurationTarget.Workspace : vscode.ConfigurationTarget.Global;
  const set = configuration.inspect<unknown>('crds');
  let places: unknown = hasWorkspace ? (set?.workspaceValue ?? set?.globalValue) : set?.globalValue;
  for (const place of chosen) {
    // A place within a folder of the workspace becomes relative to that folder.
    places = withPlace(places, vscode.workspace.asRelativePath(place, false));
  }
  await configuration.update('crds', places, target);
}
