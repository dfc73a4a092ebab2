// The two editors, and the server's findings in their texts.

import { acceptCompletion, autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { yaml } from "@codemirror/lang-yaml";
import { HighlightStyle, bracketMatching, foldGutter, foldKeymap, indentOnInput, syntaxHighlighting } from "@codemirror/language";
import { lintGutter, lintKeymap, nextDiagnostic, setDiagnostics } from "@codemirror/lint";
import {
  LSPClient,
  LSPPlugin,
  formatKeymap,
  hoverTooltips,
  jumpToDefinitionKeymap,
  renameKeymap,
  serverCompletion,
  signatureHelp,
} from "@codemirror/lsp-client";
import { EditorState } from "@codemirror/state";
import { EditorView, ViewPlugin, drawSelection, highlightActiveLine, keymap, lineNumbers } from "@codemirror/view";
import { tags } from "@lezer/highlight";
import DOMPurify from "dompurify";

const SEVERITIES = ["error", "error", "warning", "info", "hint"];

/** The colours are those of the page, so that they follow the system. */
const theme = EditorView.theme({
  "&": { color: "var(--ink)", backgroundColor: "var(--ground)", fontSize: "14px" },
  ".cm-content": { caretColor: "var(--ink)" },
  "&.cm-focused": { outline: "2px solid var(--accent)", outlineOffset: "-2px" },
  ".cm-cursor": { borderLeftColor: "var(--ink)" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": {
    backgroundColor: "color-mix(in srgb, var(--accent) 30%, transparent)",
  },
  ".cm-gutters": { backgroundColor: "var(--raised)", color: "var(--faint)", borderColor: "var(--line)" },
  ".cm-activeLine": { backgroundColor: "color-mix(in srgb, var(--accent) 8%, transparent)" },
  ".cm-tooltip": {
    backgroundColor: "var(--raised)",
    color: "var(--ink)",
    borderColor: "var(--line)",
    maxWidth: "min(42rem, 90vw)",
    maxHeight: "60vh",
    overflow: "auto",
  },
  ".cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]": { backgroundColor: "var(--accent)", color: "var(--ground)" },
  ".cm-panels": { backgroundColor: "var(--raised)", color: "var(--ink)" },
});

const colours = HighlightStyle.define([
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: "var(--accent)" },
  { tag: tags.comment, color: "var(--faint)", fontStyle: "italic" },
  { tag: [tags.keyword, tags.meta], color: "var(--warning)" },
]);

/** Sends typed text to the server immediately: the server processes waiting messages together. */
const sync = ViewPlugin.define((view) => ({
  update(update) {
    if (update.docChanged) setTimeout(() => LSPPlugin.get(view)?.client.sync());
  },
}));

/** A client of the protocol over `transport`. Calls `onFindings(uri, diagnostics)` with the findings of a text. */
export function clientOf({ onFindings, kubernetesVersion }) {
  return new LSPClient({
    timeout: 15_000,
    sanitizeHTML: (html) => DOMPurify.sanitize(html),
    initializationOptions: { kubernetesVersion },
    notificationHandlers: {
      "textDocument/publishDiagnostics": (client, { uri, version, diagnostics }) => {
        onFindings(uri, diagnostics);
        const file = client.workspace.getFile(uri);
        const view = file?.getView();
        const plugin = view && LSPPlugin.get(view);
        if (!plugin || (version != null && version !== file.version)) return true;
        const place = (position) => plugin.unsyncedChanges.mapPos(plugin.fromPosition(position, plugin.syncedDoc));
        const shown = diagnostics.map(({ range, severity, message, code }) => ({
          from: place(range.start),
          to: place(range.end),
          severity: SEVERITIES[severity ?? 1],
          source: code,
          message,
        }));
        view.dispatch(setDiagnostics(view.state, shown));
        return true;
      },
    },
    extensions: [
      {
        clientCapabilities: {
          textDocument: {
            publishDiagnostics: { versionSupport: true, relatedInformation: true },
            codeAction: {
              codeActionLiteralSupport: { codeActionKind: { valueSet: ["quickfix", "refactor", "source.fixAll"] } },
              isPreferredSupport: true,
            },
          },
        },
        editorExtension: sync,
      },
      serverCompletion(),
      hoverTooltips(),
      signatureHelp(),
    ],
  });
}

/** Creates an editor for a text, below `parent`. */
export function editorOf({ parent, uri, label, text, client, onChange, onFixes }) {
  const changeListener = EditorView.updateListener.of((update) => {
    if (update.docChanged) onChange();
  });
  const keys = keymap.of([
    { key: "Mod-.", run: (view) => (onFixes(view), true) },
    { key: "F8", run: nextDiagnostic },
    { key: "Tab", run: acceptCompletion },
    indentWithTab,
    ...closeBracketsKeymap,
    ...completionKeymap,
    ...formatKeymap,
    ...jumpToDefinitionKeymap,
    ...renameKeymap,
    ...lintKeymap,
    ...foldKeymap,
    ...historyKeymap,
    ...defaultKeymap,
  ]);
  const view = new EditorView({
    parent,
    state: EditorState.create({
      doc: text,
      extensions: [
        lineNumbers(),
        foldGutter(),
        lintGutter(),
        history(),
        drawSelection(),
        indentOnInput(),
        bracketMatching(),
        closeBrackets(),
        autocompletion(),
        highlightActiveLine(),
        yaml(),
        syntaxHighlighting(colours),
        theme,
        EditorState.tabSize.of(2),
        EditorView.contentAttributes.of({ "aria-label": label }),
        keys,
        changeListener,
        client.plugin(uri, "yaml"),
      ],
    }),
  });
  // Scrollable elements must be reachable with the keyboard.
  view.scrollDOM.tabIndex = 0;
  return view;
}

/** The quick fixes for `range` of the text in `view`. */
export async function fixesAt(view, range, diagnostics = []) {
  const { client, uri } = LSPPlugin.get(view);
  client.sync();
  const params = { textDocument: { uri }, range, context: { diagnostics, triggerKind: 1 } };
  return (await client.request("textDocument/codeAction", params)) ?? [];
}

/** Applies the edits of a code action in its editor. */
export function take(view, action) {
  const plugin = LSPPlugin.get(view);
  const edits = action.edit?.changes?.[plugin.uri] ?? [];
  const changes = edits.map(({ range, newText }) => ({
    from: plugin.fromPosition(range.start),
    to: plugin.fromPosition(range.end),
    insert: newText,
  }));
  view.dispatch({ changes, userEvent: "input.fix" });
  view.focus();
}

/** The position of the cursor, in units of the protocol. */
export function cursorOf(view) {
  return LSPPlugin.get(view).toPosition(view.state.selection.main.head);
}

/** Replaces the text of an editor, keeping the common parts. */
export function replace(view, text) {
  const before = view.state.doc.toString();
  if (before === text) return;
  let start = 0;
  while (start < before.length && before[start] === text[start]) start++;
  let end = 0;
  while (end < before.length - start && end < text.length - start && before.at(-1 - end) === text.at(-1 - end)) end++;
  view.dispatch({ changes: { from: start, to: before.length - end, insert: text.slice(start, text.length - end) } });
}
