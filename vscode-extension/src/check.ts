// The command "Check Workspace": the server checks all files and shows their findings from then on.

import * as vscode from 'vscode';
import type { Session } from './session.ts';

/** The time for which the status bar shows the result, in milliseconds. */
const SHOWN_FOR = 5_000;

/** Requests a check of all files, and shows the list of problems. */
export async function checkWorkspace(session: Session, log: vscode.LogOutputChannel): Promise<void> {
  try {
    const location = vscode.ProgressLocation.Window;
    const findings = await vscode.window.withProgress({ location, title: 'crd-ls: checking' }, () =>
      session.checkWorkspace(),
    );
    if (findings === undefined) {
      await vscode.window.showErrorMessage('The workspace cannot be checked: crd-ls is not running.');
      return;
    }
    const text = findings === 1 ? '1 finding' : `${findings} findings`;
    log.info(`Workspace checked: ${text}.`);
    await vscode.commands.executeCommand('workbench.actions.view.problems');
    vscode.window.setStatusBarMessage(`crd-ls: ${text} in the workspace`, SHOWN_FOR);
  } catch (error) {
    log.error(`Check Workspace: ${String(error)}`);
    await vscode.window.showErrorMessage(`The workspace cannot be checked: ${String(error)}`);
  }
}
