// Read-only documents that show the results for a definition or for resources, updated while these are edited.

import * as vscode from 'vscode';

import { isServed } from './definitions.ts';
import type { Session } from './session.ts';
import { baseName } from './uris.ts';

const SCHEME = 'crd-ls-preview';
/** The delay after a keystroke before a preview is updated, in milliseconds. */
const RENEWED_AFTER = 300;

/** The kinds of previews, by the name of the server's command; with the title of the tab. */
const KINDS = {
  stored: 'stored.yaml',
  openapi: 'OpenAPI v3.yaml',
  openapiV2: 'OpenAPI v2.yaml',
  skeleton: 'skeleton.yaml',
  sample: 'sample.yaml',
  versions: 'versions.txt',
  evaluation: 'evaluation.txt',
  generated: 'generated.yaml',
} as const;

type Kind = keyof typeof KINDS;

interface Place {
  readonly line: number;
  readonly character: number;
}

/** The subject of a preview, in the query of its address. */
interface Subject {
  readonly kind: Kind;
  readonly uri: string;
  readonly position?: Place | undefined;
}

export class Previews implements vscode.Disposable {
  private readonly session: Session;
  private readonly changed = new vscode.EventEmitter<vscode.Uri>();
  private readonly disposables: { dispose(): unknown }[];
  private timer: NodeJS.Timeout | undefined;

  constructor(session: Session) {
    this.session = session;
    const kinds = Object.keys(KINDS) as Kind[];
    this.disposables = [
      this.changed,
      vscode.workspace.registerTextDocumentContentProvider(SCHEME, {
        onDidChange: this.changed.event,
        provideTextDocumentContent: (address) => this.text(address),
      }),
      // The result for a resource may depend on other files.
      vscode.workspace.onDidChangeTextDocument(({ document }) => {
        if (isServed(document.languageId) && document.uri.scheme !== SCHEME) {
          this.renew();
        }
      }),
      session.onDidChange(() => {
        this.renew();
      }),
      ...kinds.map((kind) =>
        vscode.commands.registerCommand(`crd-ls.show.${kind}`, () => this.showFor(kind)),
      ),
      vscode.commands.registerCommand('crd-ls.showReferences', showReferences),
    ];
  }

  private async text(address: vscode.Uri): Promise<string> {
    const text = await this.session.preview(JSON.parse(address.query) as Subject);
    return text ?? '# The file is not open, or the server is not running.\n';
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.disposables.forEach((disposable) => {
      disposable.dispose();
    });
  }

  private async showFor(kind: Kind): Promise<void> {
    const editor = vscode.window.activeTextEditor;
    if (editor === undefined || !isServed(editor.document.languageId)) {
      void vscode.window.showInformationMessage(
        'Open a definition, a custom resource or a Go file with markers first.',
      );
      return;
    }
    const { line, character } = editor.selection.active;
    await this.show({ kind, uri: editor.document.uri.toString(), position: { line, character } });
  }

  private async show(subject: Subject): Promise<void> {
    const name = baseName(vscode.Uri.parse(subject.uri));
    const address = vscode.Uri.from({
      scheme: SCHEME,
      path: `/${name}: ${KINDS[subject.kind]}`,
      query: JSON.stringify(subject),
    });
    const document = await vscode.workspace.openTextDocument(address);
    await vscode.window.showTextDocument(document, vscode.ViewColumn.Beside, true);
  }

  private renew(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      for (const document of vscode.workspace.textDocuments) {
        if (document.uri.scheme === SCHEME) {
          this.changed.fire(document.uri);
        }
      }
    }, RENEWED_AFTER);
  }
}

interface Found {
  readonly uri: string;
  readonly range: { readonly start: Place; readonly end: Place };
}

/** Shows references from a lens of the server. The editor's own command accepts only its own types. */
async function showReferences(uri: string, at: Place, found: readonly Found[]): Promise<void> {
  const position = ({ line, character }: Place) => new vscode.Position(line, character);
  const locations = found.map(
    ({ uri, range }) =>
      new vscode.Location(
        vscode.Uri.parse(uri),
        new vscode.Range(position(range.start), position(range.end)),
      ),
  );
  await vscode.commands.executeCommand(
    'editor.action.showReferences',
    vscode.Uri.parse(uri),
    position(at),
    locations,
  );
}
