// The extension in VS Code for the Web: the server is a worker, because programs cannot run there.

import * as vscode from 'vscode';
import { start, type Selector } from '../activation.ts';
import type { Session } from '../session.ts';
import { ClosedTexts } from './closed.ts';
import { WorkerRunner } from './worker.ts';

const LANGUAGES = ['yaml', 'json'];
/** The schemes of unsaved texts, of local folders, and of repositories that are not cloned. */
const SCHEMES = ['untitled', 'file', 'vscode-vfs'];

let session: Session | undefined;

export function activate(context: vscode.ExtensionContext): void {
  const { version } = context.extension.packageJSON as { version: string };
  // Hides commands that need a file system.
  void vscode.commands.executeCommand('setContext', 'crd-ls.inWorker', true);
  session = start(context, selector(), () => new WorkerRunner(context.extensionUri, version));
  context.subscriptions.push(new ClosedTexts(session));
}

export async function deactivate(): Promise<void> {
  await session?.stop();
}

/** A folder may have a separate scheme that another extension provides. */
function selector(): Selector {
  const folders = vscode.workspace.workspaceFolders ?? [];
  const schemes = new Set([...SCHEMES, ...folders.map(({ uri }) => uri.scheme)]);
  return [...schemes].flatMap((scheme) => LANGUAGES.map((language) => ({ language, scheme })));
}
