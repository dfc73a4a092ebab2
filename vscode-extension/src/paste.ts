// Pastes blocks of YAML at the column of the cursor.

import * as vscode from 'vscode';
import { indented } from './indented.ts';

/** A kind of edit that pastes. */
interface Kind {
  append(...parts: string[]): Kind;
}

/** What VS Code offers from 1.97 on. */
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

/** Indents what is pasted into YAML; nothing in an editor that cannot. */
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
      const before = document.lineAt(range.start.line).text.slice(0, range.start.character);
      const block = indented(text.replaceAll('\r\n', '\n'), before);
      return block === undefined ? [] : [new DocumentPasteEdit(block, 'Paste at this column', kind)];
    },
  };
  const metadata = { providedPasteEditKinds: [kind], pasteMimeTypes: ['text/plain'] };
  const registered = registry.registerDocumentPasteEditProvider?.({ language: 'yaml' }, provider, metadata);
  return registered ?? new vscode.Disposable(() => undefined);
}
