// Shows the results of the rules of a definition at the end of their lines.

import * as vscode from 'vscode';
import { beside, type Evaluation } from './messages.ts';
import type { Session } from './session.ts';

/** The delay after a keystroke before the results are updated, in milliseconds. */
const RENEWED_AFTER = 300;

export class Evaluations implements vscode.Disposable {
  private readonly session: Session;
  private readonly holds = decoration('editorInlayHint.foreground');
  private readonly fails = decoration('editorWarning.foreground');
  /** The documents that show results. */
  private readonly shown = new Set<string>();
  private readonly disposables: { dispose(): unknown }[];
  private timer: NodeJS.Timeout | undefined;

  constructor(session: Session) {
    this.session = session;
    const later = (): void => {
      clearTimeout(this.timer);
      if (this.shown.size > 0) {
        this.timer = setTimeout(() => void this.renew(), RENEWED_AFTER);
      }
    };
    this.disposables = [
      this.holds,
      this.fails,
      vscode.commands.registerCommand('crd-ls.toggleEvaluation', () => this.toggle()),
      vscode.commands.registerCommand('crd-ls.showEvaluation', (uri: string) => this.show(uri)),
      // The values may come from another file.
      vscode.workspace.onDidChangeTextDocument(later),
      vscode.window.onDidChangeVisibleTextEditors(later),
      vscode.workspace.onDidCloseTextDocument((document) => this.shown.delete(document.uri.toString())),
    ];
  }

  dispose(): void {
    clearTimeout(this.timer);
    for (const disposable of this.disposables) {
      disposable.dispose();
    }
  }

  private async toggle(): Promise<void> {
    const uri = vscode.window.activeTextEditor?.document.uri.toString();
    if (uri !== undefined && !this.shown.delete(uri)) {
      this.shown.add(uri);
    }
    await this.renew();
  }

  private async show(uri: string): Promise<void> {
    this.shown.add(vscode.Uri.parse(uri).toString());
    await this.renew();
  }

  private async renew(): Promise<void> {
    for (const editor of vscode.window.visibleTextEditors) {
      try {
        await this.decorate(editor);
      } catch {
        // The text has changed meanwhile; the request will be repeated.
      }
    }
  }

  private async decorate(editor: vscode.TextEditor): Promise<void> {
    const { document } = editor;
    const { version } = document;
    const uri = document.uri.toString();
    const answer = this.shown.has(uri) ? await this.session.execute('crd-ls.evaluation', { uri }) : null;
    if (document.version !== version) {
      return;
    }
    const evaluation = answer as Evaluation | null | undefined;
    const [holding, failing]: [vscode.DecorationOptions[], vscode.DecorationOptions[]] = [[], []];
    for (const rule of evaluation?.rules ?? []) {
      const text = beside(rule, evaluation?.isGenerated ?? false);
      if (text !== undefined) {
        const { end } = document.lineAt(Math.min(rule.range.start.line, document.lineCount - 1)).range;
        const isBad = rule.results.some(({ value, error }) => value === 'false' || error !== null);
        (isBad ? failing : holding).push({
          range: new vscode.Range(end, end),
          renderOptions: { after: { contentText: text } },
        });
      }
    }
    editor.setDecorations(this.holds, holding);
    editor.setDecorations(this.fails, failing);
  }
}

function decoration(color: string): vscode.TextEditorDecorationType {
  const after = { margin: '0 0 0 2em', color: new vscode.ThemeColor(color), fontStyle: 'italic' };
  return vscode.window.createTextEditorDecorationType({ after });
}
