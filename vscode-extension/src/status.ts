// The language status item: which API server is asked, and whether the server runs.

import * as vscode from 'vscode';
import type { State } from './session.ts';

/** The item beside the language of a YAML file. */
export class Status implements vscode.Disposable {
  private readonly item: vscode.LanguageStatusItem;

  constructor(selector: vscode.DocumentSelector) {
    this.item = vscode.languages.createLanguageStatusItem('crd-ls.status', selector);
    this.item.name = 'crd-ls';
  }

  show(state: State): void {
    this.item.busy = state.kind === 'starting';
    this.item.text = `Kubernetes ${kubernetesVersion()}`;
    this.item.command = { title: 'Change', command: 'crd-ls.selectKubernetesVersion' };
    this.item.severity = vscode.LanguageStatusSeverity.Information;
    if (state.kind === 'running') {
      const restricted = vscode.workspace.isTrusted
        ? ''
        : ', Restricted Mode: crd-ls.server.path of the workspace is ignored';
      this.item.detail = `crd-ls ${state.server.version} (${state.server.origin})${restricted}`;
    } else {
      this.item.detail = 'crd-ls';
    }
    if (state.kind === 'failed') {
      this.item.severity = vscode.LanguageStatusSeverity.Error;
      this.item.text = 'crd-ls is not running';
      this.item.detail = state.reason;
      this.item.command = { title: 'Restart', command: 'crd-ls.restartServer' };
    }
  }

  dispose(): void {
    this.item.dispose();
  }
}

export function kubernetesVersion(): string {
  return vscode.workspace.getConfiguration('crd-ls').get('kubernetesVersion', '');
}

/** Asks for a version and keeps it where it is set already, or else in the workspace. */
export async function selectKubernetesVersion(versions: readonly string[]): Promise<void> {
  const configuration = vscode.workspace.getConfiguration('crd-ls');
  const current = kubernetesVersion();
  const items = [...versions].reverse().map((version) => ({
    label: version,
    description: version === current ? 'in force' : '',
  }));
  const chosen = await vscode.window.showQuickPick(items, {
    title: 'The Kubernetes release whose API server is asked',
  });
  if (chosen === undefined) {
    return;
  }
  const set = configuration.inspect('kubernetesVersion');
  const isOfUser = set?.workspaceValue === undefined && set?.globalValue !== undefined;
  const hasWorkspace = vscode.workspace.workspaceFolders !== undefined;
  const target =
    isOfUser || !hasWorkspace ? vscode.ConfigurationTarget.Global : vscode.ConfigurationTarget.Workspace;
  await configuration.update('kubernetesVersion', chosen.label, target);
}
