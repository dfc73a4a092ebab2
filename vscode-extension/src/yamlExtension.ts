// Coexistence with the extension YAML (redhat.vscode-yaml): it still reports syntax errors, and leaves the content
// of definitions and of resources of their kinds to crd-ls.

import * as vscode from 'vscode';
import { onlyOurs } from './definitions.ts';

const YAML_EXTENSION = 'redhat.vscode-yaml';
const OURS = 'crd-ls.crd-ls';
const SCHEME = 'crd-ls-schema';
/** A schema that accepts everything. */
const NO_SCHEMA = `${SCHEME}://crd-ls/definition`;

/** The part of the extension's interface that is needed here. */
interface SchemaApi {
  registerContributor(
    scheme: string,
    requestSchema: (resource: string) => string | undefined,
    requestSchemaContent: (uri: string) => string,
  ): boolean;
}

/** The result for a text, and the inputs on which it depends. */
interface Known {
  readonly version: number;
  readonly kinds: ReadonlySet<string>;
  readonly isOurs: boolean;
}

/** Whether the extension is enabled and reports syntax errors. */
export function yamlExtensionReports(): boolean {
  const isEnabled = vscode.extensions.getExtension(YAML_EXTENSION) !== undefined;
  return isEnabled && vscode.workspace.getConfiguration('yaml').get('validate', true);
}

const PRETTIER = 'esbenp.prettier-vscode';

/** Whether another formatter for YAML is active. */
export function anotherFormats(): boolean {
  const isEnabled = (id: string): boolean => vscode.extensions.getExtension(id) !== undefined;
  const chosen = vscode.workspace
    .getConfiguration('editor', { languageId: 'yaml' })
    .get<string | null>('defaultFormatter');
  const ofYaml =
    isEnabled(YAML_EXTENSION) && vscode.workspace.getConfiguration('yaml').get('format.enable', true);
  return typeof chosen === 'string' ? chosen !== OURS : ofYaml || isEnabled(PRETTIER);
}

/** Registers an empty schema for our documents with the extension, once. */
export class SchemaContribution {
  private isDone = false;
  private readonly known = new WeakMap<vscode.TextDocument, Known>();
  private readonly log: vscode.LogOutputChannel;
  private readonly kinds: () => ReadonlySet<string>;

  /** `kinds` returns the kinds that the server knows. */
  constructor(log: vscode.LogOutputChannel, kinds: () => ReadonlySet<string>) {
    this.log = log;
    this.kinds = kinds;
  }

  async offer(): Promise<void> {
    const extension = vscode.extensions.getExtension<Partial<SchemaApi> | undefined>(YAML_EXTENSION);
    if (this.isDone || extension === undefined) {
      return;
    }
    this.isDone = true;
    try {
      const api = await extension.activate();
      const isTaken = api?.registerContributor?.(
        SCHEME,
        (resource) => (this.isOurs(resource) ? NO_SCHEMA : undefined),
        // The optional last parameter is a text: no other extension provides schemas for files that contain
        // it. It is omitted.
        () => '{}',
      );
      this.log.info(
        `${YAML_EXTENSION} accepted an empty schema for our documents: ${String(isTaken ?? false)}`,
      );
    } catch (error) {
      this.log.warn(`${YAML_EXTENSION} accepted no schema for our documents: ${String(error)}`);
    }
  }

  private isOurs(resource: string): boolean {
    const document = vscode.workspace.textDocuments.find((document) => document.uri.toString() === resource);
    if (document === undefined) {
      return false;
    }
    const kinds = this.kinds();
    let known = this.known.get(document);
    if (known?.version !== document.version || known.kinds !== kinds) {
      known = { version: document.version, kinds, isOurs: onlyOurs(document.getText(), kinds) };
      this.known.set(document, known);
    }
    return known.isOurs;
  }
}
