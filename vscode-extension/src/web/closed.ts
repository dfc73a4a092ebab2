// What the files of the workspace hold, for a server that cannot read them: it gets those with objects of Kubernetes, and those
// that say how others are to be judged.

import * as vscode from 'vscode';
import type { Session } from '../session.ts';

const FILES = '**/{*.yaml,*.yml,*.json,.crd-ls.toml,Kustomization}';
/** Settings of a project, and kustomizations, which need not say that they are objects. */
const ABOUT_OTHERS = /\/(\.crd-ls\.toml|kustomization\.ya?ml|Kustomization)$/;
const IGNORED = '**/{node_modules,.git,vendor}/**';
/** Each object has it, in YAML as in JSON. */
const OBJECT = 'apiVersion';
/** Each file may be a request to a forge. */
const MOST_FILES = 2_000;
/** So many are read at once. */
const AT_ONCE = 16;
/** Larger files are left out, in bytes. */
const LARGEST = 8_000_000;

/** Tells the server what is in files with objects, from each start on, and once it knows all of them. */
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
        this.tell(uri, null);
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
        this.tell(uri, text);
      } else if (this.known.delete(uri.toString())) {
        this.tell(uri, null);
      }
    } catch (error) {
      this.session.note(`${uri.toString(true)} cannot be read: ${String(error)}`);
    }
  }

  private tell(uri: vscode.Uri, text: string | null): void {
    void this.session.notify('crd-ls/closedText', { uri: uri.toString(), text });
  }
}
