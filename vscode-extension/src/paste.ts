// Pastes blocks of YAML at the column of the cursor.

import * as vscode from 'vscode';
import { indented, relative } from './indented.ts';

/** A kind of paste edits. */
interface Kind {
  append(...parts: string[]): Kind;
}

/** The interface of VS Code 1.97 and later. */
interface Pasting {
  readonly DocumentPasteEdit?: new (insertText: string, title: string, kind: Kind) => object;
  readonly DocumentDropOrPasteEditKind?: { readonly Empty: Kind };
}

interface Registry {
  registerDocumentPasteEditProvider?(
    selector: vscode.DocumentSelector,
    provider: {
      provideDocumentPasteEdits(
        document: vscode.TextDocument,
        ranges: readonly vscode.Range[],
        data: vscode.DataTransfer,
      ): Promise<object[]>;
    },
    metadata: { providedPasteEditKinds: Kind[]; pasteMimeTypes: string[] },
  ): vscode.Disposable;
}

/** Indents pasted YAML; has no effect in an editor without the interface. */
export function pastesIndented(): vscode.Disposable {
  const { DocumentPasteEdit, DocumentDropOrPasteEditKind } = vscode as Pasting;
  const registry = vscode.languages as Registry;
  if (DocumentPasteEdit === undefined || DocumentDropOrPasteEditKind === undefined) {
    return new vscode.Disposable(() => undefined);
  }
  const kind = DocumentDropOrPasteEditKind.Empty.append('text', 'yaml', 'indented');
  const provider = {
    async provideDocumentPasteEdits(
      document: vscode.TextDocument,
      ranges: readonly vscode.Range[],
      data: vscode.DataTransfer,
    ): Promise<object[]> {
      const [range] = ranges;
      const text = await data.get('text/plain')?.asString();
      if (range === undefined || ranges.length > 1 || text === undefined) {
        return [];
      }
      const line = document.lineAt(range.start.line).text;
      const before = line.slice(0, range.start.character);
      const whole = indented(text.replaceAll('\r\n', '\n'), before);
      const block = whole === undefined ? undefined : relative(whole, before);
      if (block === undefined) {
        return [];
      }
      // Nothing follows the cursor, so no separate line is needed.
      const isLast = document.lineAt(range.end.line).text.slice(range.end.character).trim() === '';
      const pasted = isLast ? block.replace(/\n$/, '') : block;
      return [new DocumentPasteEdit(pasted, 'Paste at this column', kind)];
    },
  };
  const metadata = { providedPasteEditKinds: [kind], pasteMimeTypes: ['text/plain'] };
  const registered = registry.registerDocumentPasteEditProvider?.({ language: 'yaml' }, provider, metadata);
  return registered ?? new vscode.Disposable(() => undefined);
}
