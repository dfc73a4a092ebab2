// Creates a resource file from the sample of a definition.

import * as vscode from 'vscode';

import type { Session } from './session.ts';
import { baseName } from './uris.ts';

/** Writes the sample of the open definition into a file that the user names, and opens the file. */
export async function createResource(session: Session): Promise<void> {
  const document = vscode.window.activeTextEditor?.document;
  const uri = document?.uri.toString();
  const sample = uri === undefined ? undefined : await session.execute('crd-ls.preview.sample', { uri });
  const kind = typeof sample === 'string' ? /^kind: *(\S+)/m.exec(sample)?.[1] : undefined;
  if (document === undefined || typeof sample !== 'string' || kind === undefined) {
    void vscode.window.showInformationMessage('Open a definition first.');
    return;
  }
  // With several versions, uses the first one, as kubectl does.
  const text = sample.split(/^---\n/m)[0] ?? sample;
  if (document.uri.scheme !== 'file') {
    await vscode.window.showTextDocument(
      await vscode.workspace.openTextDocument({ language: 'yaml', content: text }),
      vscode.ViewColumn.Beside,
    );
    return;
  }
  const beside = vscode.Uri.joinPath(document.uri, '..', `${kind.toLowerCase()}.yaml`);
  const target = await vscode.window.showSaveDialog({
    title: `A new ${kind}`,
    saveLabel: 'Create',
    defaultUri:
      baseName(beside) === baseName(document.uri)
        ? vscode.Uri.joinPath(document.uri, '..', `${kind.toLowerCase()}-sample.yaml`)
        : beside,
    filters: { YAML: ['yaml', 'yml'] },
  });
  if (target !== undefined) {
    await vscode.workspace.fs.writeFile(target, new TextEncoder().encode(text));
    await vscode.window.showTextDocument(target, { viewColumn: vscode.ViewColumn.Beside });
  }
}
