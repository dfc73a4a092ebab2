// The extension for hosts that can run programs: on a desktop, and in a remote window.

import type * as vscode from 'vscode';
import { start, type Selector } from './activation.ts';
import { Programs } from './programs.ts';
import type { Session } from './session.ts';

/** Files and unsaved texts, but not old versions of a file in a comparison. */
const SELECTOR: Selector = [
  { language: 'yaml', scheme: 'file' },
  { language: 'yaml', scheme: 'untitled' },
  { language: 'json', scheme: 'file' },
  { language: 'json', scheme: 'untitled' },
  { language: 'go', scheme: 'file' },
];

let session: Session | undefined;

export function activate(context: vscode.ExtensionContext): void {
  session = start(context, SELECTOR, (log) => new Programs(context.extensionUri, log));
}

export async function deactivate(): Promise<void> {
  await session?.stop();
}
