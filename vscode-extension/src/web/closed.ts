// The contents of workspace files for a server that cannot read them: the files with Kubernetes objects, and the files that
// determine how others are checked.

import * as vscode from 'vscode';
import type { Session } from '../session.ts';

const FILES = '**/{*.yaml,*.yml,*.json,.crd-ls.toml,Kustomization}';
/** Settings of a project, and kustomizations, which may not be marked as objects. */
const ABOUT_OTHERS = /\/(\.crd-ls\.toml|kustomization\.ya?ml|Kustomization)$/;
const IGNORED = '**/{node_modules,.git,vendor}/**';
/** A field of each object, in YAML and in JSON. */
const OBJECT = 'apiVersion';
/** The maximum number of files, because each may be a request to a forge. */
const MOST_FILES = 2_000;
/** The number of files to read at once. */
const AT_ONCE = 16;
/** The maximum size of a file, in bytes. Larger files are skipped. */
const LARGEST = 8_000_000;

/** Sends the contents of files with objects to the server, after each of its starts and after its scan is complete. */
export class ClosedTexts implements vscode.Disposable {
  private readonly session: Session;
  private readonly known = new Set<string>();
  private readonly disposables: readonly { dispose(): unknown }[];
  private wasRunning = false;

  constructor(session: Session) {
    this.session = session;
    const files = vscode.workspace.createFileSystemWatcher(FILES);
    const read = (uri: vscode.Uri): void => {
      void this.read(uri);
    };
    this.disposables = [
      files,
      files.onDidChange(read),
      files.onDidCreate(read),
      files.onDidDelete((uri) => {
        this.send(uri, null);
      }),
      vscode.workspace.onDidCloseTextDocument(({ uri }) => {
        if (this.known.has(uri.toString())) {
          read(uri);
        }
      }),
      session.onDidChange(({ kind }) => {
        const isRunning = kind === 'running';
        if (isRunning && !this.wasRunning) {
          void this.readAll();
        }
        this.wasRunning = isRunning;
      }),
    ];
  }

  dispose(): void {
    for (const disposable of this.disposables) {
      disposable.dispose();
    }
  }

  private async readAll(): Promise<void> {
    void this.session.notify('crd-ls/closedTexts', { isWhole: false });
    const files = await vscode.workspace.findFiles(FILES, IGNORED, MOST_FILES + 1);
    const isWhole = files.length <= MOST_FILES;
    files.length = Math.min(files.length, MOST_FILES);
    while (files.length > 0) {
      await Promise.all(files.splice(0, AT_ONCE).map((uri) => this.read(uri)));
    }
    if (isWhole) {
      void this.session.notify('crd-ls/closedTexts', { isWhole });
    } else {
      this.session.note(
        `only the first ${String(MOST_FILES)} files are read, so resources are not counted and properties cannot be renamed`,
      );
    }
  }

  private async read(uri: vscode.Uri): Promise<void> {
    try {
      const { size } = await vscode.workspace.fs.stat(uri);
      const bytes = size > LARGEST ? undefined : await vscode.workspace.fs.readFile(uri);
      const text = new TextDecoder().decode(bytes);
      if (text.includes(OBJECT) || ABOUT_OTHERS.test(uri.path)) {
        this.known.add(uri.toString());
        this.send(uri, text);
      } else if (this.known.delete(uri.toString())) {
        this.send(uri, null);
      }
    } catch (error) {
      this.session.note(`${uri.toString(true)} cannot be read: ${String(error)}`);
    }
  }

  private send(uri: vscode.Uri, text: string | null): void {
    void this.session.notify('crd-ls/closedText', { uri: uri.toString(), text });
  }
}
