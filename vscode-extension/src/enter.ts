// Moves the cursor after Enter before the server answers: fast typists have pressed the next key by then, and the editor
// drops the answer. The indentation is also undone together with the line. VS Code's own rules for YAML do not indent.

import * as vscode from 'vscode';

/** A key, with or without quotes. */
const KEY = /(?:"[^"]*"|'[^']*'|[^\s#|>'"[{-][^#:]*):/.source;
/** The dashes of items. */
const DASHES = /\s*-\s+(?:-\s+)*/.source;
/** The header of a block scalar. */
const HEADER = /[|>][-+0-9]*/.source;

/** A key whose value is on the following lines. */
const OPEN = new RegExp(`^\\s*${KEY}\\s*(?:${HEADER}\\s*)?$`);
/** A key whose value is on the following lines, as the first key of an item. */
const OPEN_IN_ITEM = new RegExp(`^${DASHES}${KEY}\\s*(?:${HEADER}\\s*)?$`);
/** An item with a key and its value: the next key belongs below the first one. */
const KEY_OF_ITEM = new RegExp(`^${DASHES}${KEY}\\s+[^\\s|>].*$`);

/** Indents below keys. In items, indents below the first key and not below the dash. */
export function belowKeys(): vscode.Disposable {
  const { Indent, None } = vscode.IndentAction;
  return vscode.languages.setLanguageConfiguration('yaml', {
    onEnterRules: [
      { beforeText: OPEN, action: { indentAction: Indent } },
      { beforeText: OPEN_IN_ITEM, action: { indentAction: Indent, appendText: '  ' } },
      { beforeText: KEY_OF_ITEM, action: { indentAction: None, appendText: '  ' } },
    ],
  });
}
