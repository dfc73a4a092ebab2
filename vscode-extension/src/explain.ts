// Shows the page of a rule: from a finding, with the command, and from the link of its code.

import * as vscode from 'vscode';
import { isServed } from './definitions.ts';
import type { Session } from './session.ts';

/** The scheme of pages; the path is the code of the rule. */
const SCHEME = 'crd-ls-rule';

/** The address of the page of a rule. */
export function pageOf(code: string): vscode.Uri {
  return vscode.Uri.from({ scheme: SCHEME, path: `/${code}.md` });
}

/** Serves the pages, and provides the command that shows a page. */
export function explanations(session: Session): vscode.Disposable {
  const provider: vscode.TextDocumentContentProvider = {
    provideTextDocumentContent: async (address) => {
      const code = address.path.replace(/^\//, '').replace(/\.md$/, '');
      const uri = vscode.workspace.textDocuments
        .find(({ languageId }) => isServed(languageId))
        ?.uri.toString();
      const page = await session.execute('crd-ls.explain', { uri, code });
      return typeof page === 'string' ? page : 'The server is not running.\n';
    },
  };
  return vscode.Disposable.from(
    vscode.workspace.registerTextDocumentContentProvider(SCHEME, provider),
    vscode.commands.registerCommand('crd-ls.explainFinding', explain),
  );
}

/** Shows the page of a finding at the cursor, or of any in the file. Of several, the user chooses one. */
async function explain(): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  const all = editor === undefined ? [] : vscode.languages.getDiagnostics(editor.document.uri).filter(isOurs);
  const here = all.filter(
    ({ range }) => editor !== undefined && range.intersection(editor.selection) !== undefined,
  );
  const codes = new Map((here.length > 0 ? here : all).map((one) => [codeOf(one), one.message]));
  const items = [...codes].map(([label, message]) => ({ label, description: message.split('\n')[0] ?? '' }));
  const [first] = items;
  if (first === undefined) {
    void vscode.window.showInformationMessage('crd-ls has no findings in this file.');
    return;
  }
  const chosen =
    items.length === 1
      ? first
      : await vscode.window.showQuickPick(items, { title: 'Select a finding to explain' });
  if (chosen !== undefined) {
    await vscode.commands.executeCommand('markdown.showPreviewToSide', pageOf(chosen.label));
  }
}

function isOurs({ source }: vscode.Diagnostic): boolean {
  return source === 'crd-ls';
}

/** The code of a finding. With a link, the code is part of an object. */
export function codeOf({ code }: vscode.Diagnostic): string {
  return String(typeof code === 'object' ? code.value : code);
}

/** Links the codes of findings to their pages, which need no network. */
export function withPages(diagnostics: vscode.Diagnostic[]): vscode.Diagnostic[] {
  for (const diagnostic of diagnostics.filter(isOurs)) {
    const value = codeOf(diagnostic);
    diagnostic.code = { value, target: pageOf(value) };
  }
  return diagnostics;
}
