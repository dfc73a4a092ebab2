// Where the cursor goes when Enter ends a line, before the server answers: who types quickly has pressed the next key by then,
// and the editor drops the answer.

import * as vscode from 'vscode';

/** An item with a key and its value: the next key belongs below the first one. Blocks and values on further lines indent more. */
const KEY_OF_ITEM = /^\s*-\s(?:-\s)*[^\s#|>'"[{-][^#:]*:\s+[^\s|>].*$/;

/** Indents below the first key of an item, not below its dash. */
export function belowFirstKeys(): vscode.Disposable {
  const action = { indentAction: vscode.IndentAction.None, appendText: '  ' };
  return vscode.languages.setLanguageConfiguration('yaml', {
    onEnterRules: [{ beforeText: KEY_OF_ITEM, action }],
  });
}
