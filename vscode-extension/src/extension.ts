// Starts the server for YAML and Go files and offers the commands.

import * as vscode from 'vscode';
import type { LanguageClientOptions } from 'vscode-languageclient/node';
import { WorkspaceCheck } from './check.ts';
import { Previews } from './previews.ts';
import { Session } from './session.ts';
import { chosen, reportsSyntaxErrors } from './settings.ts';
import { addDefinitions, selectKubernetesVersion, Status } from './status.ts';
import { SchemaContribution, yamlExtensionReports } from './yamlExtension.ts';

/** Files and unsaved texts; not old versions of a file in a comparison. */
const SELECTOR = [
  { language: 'yaml', scheme: 'file' },
  { language: 'yaml', scheme: 'untitled' },
  { language: 'go', scheme: 'file' },
];

let session: Session | undefined;

export function activate(context: vscode.ExtensionContext): void {
  const log = vscode.window.createOutputChannel('crd-ls', { log: true });
  const running = new Session(context.extensionUri, log, clientOptions());
  const status = new Status(SELECTOR, running);
  const check = new WorkspaceCheck(log);
  const schemas = new SchemaContribution(log, () => running.kinds);
  session = running;

  const manifest = context.extension.packageJSON as Manifest;
  const versions = manifest.contributes.configuration.properties['crd-ls.kubernetesVersion'].enum;
  context.subscriptions.push(
    log,
    status,
    running,
    check,
    new Previews(running),
    vscode.commands.registerCommand('crd-ls.restartServer', () => running.restart()),
    vscode.commands.registerCommand('crd-ls.showOutput', () => {
      log.show();
    }),
    vscode.commands.registerCommand('crd-ls.checkWorkspace', () => check.run(running.server?.path)),
    vscode.commands.registerCommand('crd-ls.selectKubernetesVersion', () =>
      selectKubernetesVersion(versions, status.version),
    ),
    vscode.commands.registerCommand('crd-ls.addDefinitions', () => addDefinitions()),
    vscode.workspace.onDidChangeConfiguration(async (change) => {
      if (
        ['crd-ls.server.path', 'crd-ls.server.logLevel'].some((name) => change.affectsConfiguration(name))
      ) {
        await running.restart();
      } else if (change.affectsConfiguration('yaml.validate')) {
        await running.settingsChanged();
      }
    }),
    // What the workspace chooses counts from now on.
    vscode.workspace.onDidGrantWorkspaceTrust(() => running.restart()),
    vscode.extensions.onDidChange(async () => {
      await schemas.offer();
      await running.settingsChanged();
    }),
  );
  if (!vscode.workspace.isTrusted) {
    log.info('Restricted Mode: settings of this workspace and .crd-ls.toml are ignored until you trust it.');
  }
  // Neither holds up the editor's start.
  void running.restart();
  void schemas.offer();
}

export async function deactivate(): Promise<void> {
  await session?.stop();
}

function clientOptions(): LanguageClientOptions {
  const settings = (): object => {
    const configuration = vscode.workspace.getConfiguration('crd-ls');
    const syntaxErrors = reportsSyntaxErrors(configuration.get('yaml.syntaxErrors'), yamlExtensionReports());
    const workspaceTrusted = vscode.workspace.isTrusted;
    return { ...chosen((name) => configuration.inspect(name)), syntaxErrors, workspaceTrusted };
  };
  return {
    documentSelector: SELECTOR,
    initializationOptions: settings,
    middleware: {
      // In Go all of this is gopls's: an answer of ours would take its place. Markers are coloured by the grammar.
      provideDocumentSemanticTokens: (document, token, next) =>
        document.languageId === 'go' ? undefined : next(document, token),
      provideDocumentRangeSemanticTokens: (document, range, token, next) =>
        document.languageId === 'go' ? undefined : next(document, range, token),
      provideRenameEdits: (document, position, name, token, next) =>
        document.languageId === 'go' ? undefined : next(document, position, name, token),
      prepareRename: (document, position, token, next) =>
        document.languageId === 'go' ? undefined : next(document, position, token),
      workspace: {
        // The server asks: what would be sent here has defaults, which go before `.crd-ls.toml`.
        didChangeConfiguration: (_sections, next) => next(undefined),
        configuration: async (params, token, next) => {
          const answers = await next(params, token);
          if (!Array.isArray(answers)) {
            return answers;
          }
          return params.items.map((item, index): unknown =>
            item.section === 'crd-ls' ? settings() : answers[index],
          );
        },
      },
    },
  };
}

/** The part of `package.json` that is used here. */
interface Manifest {
  contributes: { configuration: { properties: { 'crd-ls.kubernetesVersion': { enum: string[] } } } };
}
