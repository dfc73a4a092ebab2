// Pages for a definition, its fields and the cost of its rules, beside its text. The server generates the pages; this module
// shows and updates them, and links places of the pages with the text.

import * as vscode from 'vscode';
import { isServed } from './definitions.ts';
import { isReveal } from './messages.ts';

import type { Session } from './session.ts';
import { baseName } from './uris.ts';

/** The delay after a keystroke before a page is updated, in milliseconds. */
const RENEWED_AFTER = 300;

const TITLES = { schema: 'fields', cost: 'costs of rules' } as const;

type Subject = keyof typeof TITLES;

/** A visible page. */
interface Shown {
  readonly panel: vscode.WebviewPanel;
  readonly uri: vscode.Uri;
  readonly subject: Subject;
  html: string;
}

export class Pages implements vscode.Disposable {
  private readonly session: Session;
  private readonly shown = new Map<string, Shown>();
  private readonly disposables: { dispose(): unknown }[];
  private timer: NodeJS.Timeout | undefined;

  constructor(session: Session) {
    this.session = session;
    this.disposables = [
      vscode.commands.registerCommand('crd-ls.show.schema', () => this.showFor('schema')),
      vscode.commands.registerCommand('crd-ls.show.cost', () => this.showFor('cost')),
      vscode.workspace.onDidChangeTextDocument(({ document }) => {
        if ([...this.shown.values()].some(({ uri }) => uri.toString() === document.uri.toString())) {
          this.renew();
        }
      }),
      session.onDidChange(() => {
        this.renew();
      }),
      vscode.window.onDidChangeTextEditorSelection(({ textEditor, kind }) => {
        // A selection that a page itself has made does not scroll the page.
        if (kind !== undefined) {
          this.follow(textEditor);
        }
      }),
    ];
  }

  dispose(): void {
    clearTimeout(this.timer);
    for (const disposable of this.disposables) {
      disposable.dispose();
    }
    for (const { panel } of this.shown.values()) {
      panel.dispose();
    }
  }

  private async showFor(subject: Subject): Promise<void> {
    const document = vscode.window.activeTextEditor?.document;
    if (document === undefined || !isServed(document.languageId)) {
      void vscode.window.showInformationMessage('Open a definition or a Go file with markers first.');
      return;
    }
    const key = `${subject} ${document.uri.toString()}`;
    const known = this.shown.get(key);
    if (known !== undefined) {
      known.panel.reveal(undefined, true);
      return;
    }
    const title = `${baseName(document.uri)}: ${TITLES[subject]}`;
    const column = { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true };
    const panel = vscode.window.createWebviewPanel(`crd-ls.${subject}`, title, column, {
      enableScripts: true,
      // The page is a single text and loads nothing.
      localResourceRoots: [],
    });
    const shown: Shown = { panel, uri: document.uri, subject, html: '' };
    this.shown.set(key, shown);
    panel.onDidDispose(() => this.shown.delete(key));
    panel.webview.onDidReceiveMessage((message: unknown) => {
      if (isReveal(message)) {
        void reveal(shown.uri, new vscode.Position(message.place.line, message.place.character));
      }
    });
    await this.fill(shown);
  }

  private async fill(shown: Shown): Promise<void> {
    const page = await this.session.execute(`crd-ls.page.${shown.subject}`, { uri: shown.uri.toString() });
    const html = typeof page === 'string' ? page : '';
    // Setting the same page again would collapse its expanded parts.
    if (html !== '' && html !== shown.html) {
      shown.html = html;
      shown.panel.webview.html = html;
    }
  }

  private renew(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      for (const shown of this.shown.values()) {
        // The text may have changed meanwhile; if so, the request will be repeated.
        this.fill(shown).catch(() => undefined);
      }
    }, RENEWED_AFTER);
  }

  private follow({ document, selection }: vscode.TextEditor): void {
    for (const { uri, panel, subject } of this.shown.values()) {
      if (subject === 'schema' && uri.toString() === document.uri.toString()) {
        void panel.webview.postMessage({ type: 'reveal', line: selection.active.line });
      }
    }
  }
}

/** Shows a place of the text, in a visible editor of the text if possible. */
async function reveal(uri: vscode.Uri, position: vscode.Position): Promise<void> {
  const known = vscode.window.visibleTextEditors.find(
    ({ document }) => document.uri.toString() === uri.toString(),
  );
  const selection = new vscode.Range(position, position);
  await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri), {
    viewColumn: known?.viewColumn ?? vscode.ViewColumn.One,
    selection,
  });
}
