// The command "Check Workspace": `crd-ls check` over the folders, for files that are not open.

import { execFile } from 'node:child_process';
import * as vscode from 'vscode';
import { furtherDefinitions, readReport, withLevels, type Finding } from './report.ts';
import { chosen } from './settings.ts';

/** The longest report that is read, in bytes. */
const MOST = 256 * 1024 * 1024;

const SEVERITIES = {
  error: vscode.DiagnosticSeverity.Error,
  warning: vscode.DiagnosticSeverity.Warning,
  information: vscode.DiagnosticSeverity.Information,
  hint: vscode.DiagnosticSeverity.Hint,
} as const;

/** Findings of files that are not open; the server speaks about those that are. */
export class WorkspaceCheck implements vscode.Disposable {
  private readonly findings = vscode.languages.createDiagnosticCollection('crd-ls-check');
  private readonly log: vscode.LogOutputChannel;
  private readonly subscriptions: readonly { dispose(): unknown }[];

  constructor(log: vscode.LogOutputChannel) {
    this.log = log;
    const forget = (uri: vscode.Uri): void => {
      this.findings.delete(uri);
    };
    const files = vscode.workspace.createFileSystemWatcher('**/*.{yaml,yml,json}', true);
    this.subscriptions = [
      this.findings,
      files,
      // What was found in a file that has changed since is worth nothing.
      files.onDidChange(forget),
      files.onDidDelete(forget),
      vscode.workspace.onDidOpenTextDocument((document) => {
        forget(document.uri);
      }),
    ];
  }

  /** Checks all folders with the server's program. */
  async run(program: string | undefined): Promise<void> {
    if (program === undefined) {
      await vscode.window.showErrorMessage('The workspace cannot be checked: crd-ls is not running.');
      return;
    }
    const folders = (vscode.workspace.workspaceFolders ?? []).filter(
      (folder) => folder.uri.scheme === 'file',
    );
    this.findings.clear();
    try {
      const location = vscode.ProgressLocation.Window;
      const total = await vscode.window.withProgress({ location, title: 'crd-ls: checking' }, async () => {
        let total = 0;
        for (const folder of folders) {
          total += await this.folder(program, folder.uri);
        }
        return total;
      });
      this.log.info(`Workspace checked: ${total} findings.`);
      await vscode.commands.executeCommand('workbench.actions.view.problems');
      vscode.window.setStatusBarMessage(`crd-ls: ${total} findings in the workspace`, 5_000);
    } catch (error) {
      this.log.error(`Check Workspace: ${String(error)}`);
      await vscode.window.showErrorMessage(`The workspace cannot be checked: ${String(error)}`);
    }
  }

  dispose(): void {
    for (const subscription of this.subscriptions) {
      subscription.dispose();
    }
  }

  private async folder(program: string, folder: vscode.Uri): Promise<number> {
    // Not the default: it would go before the repository's `.crd-ls.toml`.
    const set = chosen((name) => vscode.workspace.getConfiguration('crd-ls').inspect(name));
    const version =
      typeof set.kubernetesVersion === 'string' ? ['--kubernetes-version', set.kubernetesVersion] : [];
    const report = readReport(
      await output(
        program,
        ['check', '--output', 'json', ...version, ...furtherDefinitions(set.crds), '.'],
        folder.fsPath,
      ),
    );
    const isOpen = new Set(vscode.workspace.textDocuments.map((document) => document.uri.toString()));
    let total = 0;
    for (const file of report.files) {
      const uri = vscode.Uri.joinPath(folder, file.path);
      const findings = withLevels(file.diagnostics, set.rules);
      total += findings.length;
      if (!isOpen.has(uri.toString())) {
        this.findings.set(uri, findings.map(diagnostic));
      }
    }
    return total;
  }
}

/** What the program prints; findings are no failure (status 1), nor files that cannot be read (status 2). */
function output(program: string, args: readonly string[], cwd: string): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile(program, args, { cwd, maxBuffer: MOST, windowsHide: true }, (error, stdout, stderr) => {
      if (stdout.trim() === '') {
        reject(error ?? new Error(stderr.trim() || 'it printed nothing'));
      } else {
        resolve(stdout);
      }
    });
  });
}

function diagnostic(finding: Finding): vscode.Diagnostic {
  const { start, end } = finding.range;
  const range = new vscode.Range(start.line, start.character, end.line, end.character);
  const diagnostic = new vscode.Diagnostic(range, finding.message, SEVERITIES[finding.severity]);
  diagnostic.source = 'crd-ls';
  diagnostic.code = finding.code;
  return diagnostic;
}
