// Starts the server for YAML and Go files and offers the commands, wherever the server runs.

import * as vscode from 'vscode';
import { vsdiag, type LanguageClientOptions } from 'vscode-languageclient';
import { checkWorkspace } from './check.ts';
import { createResource } from './create.ts';
import { hasDefinition } from './definitions.ts';
import { belowKeys } from './enter.ts';
import { Evaluations } from './evaluations.ts';
import { explanations, withPages } from './explain.ts';
import { goExtensionReports } from './goExtension.ts';
import { outcome, RUN_CASES } from './messages.ts';
import { Pages } from './pages.ts';
import { pastesIndented } from './paste.ts';
import { Previews } from './previews.ts';
import type { Runner } from './runner.ts';
import { Session } from './session.ts';
import { onlyOurJson } from './json.ts';
import { chosen, formats, reportsSyntaxErrors } from './settings.ts';
import { addDefinitions, selectKubernetesVersion, Status } from './status.ts';
import { anotherFormats, SchemaContribution, yamlExtensionReports } from './yamlExtension.ts';

/** The delay after which menus reflect a text that is being typed, in milliseconds. */
const MENUS_AFTER = 500;
/** The time for which the success of test cases is shown, in milliseconds. */
const OUTCOME_SHOWN_FOR = 5_000;

/** The documents that the server handles. */
export type Selector = readonly { readonly language: string; readonly scheme: string }[];

/** Starts the server from `createRunner` and offers the commands. Returns the session, which the caller must stop. */
export function start(
  context: vscode.ExtensionContext,
  selector: Selector,
  createRunner: (log: vscode.LogOutputChannel) => Runner,
): Session {
  const log = vscode.window.createOutputChannel('crd-ls', { log: true });
  const running = new Session(createRunner(log), log, clientOptions(selector), settings);
  const status = new Status(selector, running);
  const schemas = new SchemaContribution(log, () => running.kinds);

  const manifest = context.extension.packageJSON as Manifest;
  const versions = manifest.contributes.configuration.properties['crd-ls.kubernetesVersion'].enum;
  context.subscriptions.push(
    log,
    status,
    running,
    new Previews(running),
    new Pages(running),
    new Evaluations(running),
    explanations(running),
    belowKeys(),
    pastesIndented(),
    ...menus(),
    vscode.commands.registerCommand('crd-ls.createResource', () => createResource(running)),
    vscode.commands.registerCommand('crd-ls.restartServer', () => running.restart()),
    vscode.commands.registerCommand('crd-ls.showOutput', () => {
      log.show();
    }),
    vscode.commands.registerCommand('crd-ls.checkWorkspace', () => checkWorkspace(running, log)),
    vscode.commands.registerCommand('crd-ls.selectKubernetesVersion', () =>
      selectKubernetesVersion(versions, status.version),
    ),
    vscode.commands.registerCommand('crd-ls.addDefinitions', () => addDefinitions()),
    vscode.workspace.onDidChangeConfiguration(async (change) => {
      if (
        ['crd-ls.server.path', 'crd-ls.server.logLevel', 'crd-ls.format'].some((name) =>
          change.affectsConfiguration(name),
        )
      ) {
        await running.restart();
      } else if (
        change.affectsConfiguration('yaml.validate') ||
        change.affectsConfiguration('go.useLanguageServer') ||
        // A server that requests settings has registered for these changes.
        (!running.asksForSettings && change.affectsConfiguration('crd-ls'))
      ) {
        await running.settingsChanged();
      }
    }),
    // From now on, the settings of the workspace apply.
    vscode.workspace.onDidGrantWorkspaceTrust(() => running.restart()),
    vscode.extensions.onDidChange(async () => {
      await schemas.offer();
      await running.settingsChanged();
    }),
  );
  if (!vscode.workspace.isTrusted) {
    log.info('Restricted Mode: settings of this workspace and .crd-ls.toml are ignored until you trust it.');
  }
  // Neither call delays the start of the editor.
  void running.restart();
  void schemas.offer();
  return running;
}

/** Sets the context key by which menus know whether a definition is open. */
function menus(): vscode.Disposable[] {
  const update = (): void => {
    const document = vscode.window.activeTextEditor?.document;
    const isOne = document !== undefined && hasDefinition(document.languageId, document.getText());
    void vscode.commands.executeCommand('setContext', 'crd-ls.hasDefinition', isOne);
  };
  let timer: NodeJS.Timeout | undefined;
  const later = ({ document }: { document: vscode.TextDocument }): void => {
    if (document === vscode.window.activeTextEditor?.document) {
      clearTimeout(timer);
      timer = setTimeout(update, MENUS_AFTER);
    }
  };
  update();
  return [
    vscode.window.onDidChangeActiveTextEditor(update),
    vscode.workspace.onDidChangeTextDocument(later),
    new vscode.Disposable(() => {
      clearTimeout(timer);
    }),
  ];
}

/** The settings that are sent to the server. */
function settings(): object {
  const configuration = vscode.workspace.getConfiguration('crd-ls');
  const syntaxErrors = reportsSyntaxErrors(configuration.get('yaml.syntaxErrors'), yamlExtensionReports());
  const goErrors = !goExtensionReports();
  const format = formats(configuration.get('format'), anotherFormats());
  const workspaceTrusted = vscode.workspace.isTrusted;
  return {
    ...chosen((name) => configuration.inspect(name)),
    syntaxErrors,
    goErrors,
    format,
    workspaceTrusted,
  };
}

function clientOptions(selector: Selector): LanguageClientOptions {
  return {
    documentSelector: [...selector],
    initializationOptions: settings,
    middleware: {
      ...onlyOurJson(),
      handleDiagnostics: (uri, diagnostics, next) => {
        next(uri, withPages(diagnostics));
      },
      provideDiagnostics: async (document, previous, token, next) => {
        const report = await next(document, previous, token);
        if (report?.kind === vsdiag.DocumentDiagnosticReportKind.full) {
          withPages(report.items);
        }
        return report;
      },
      // In Go, gopls provides these tokens, and ours would replace them. The grammar colours markers.
      provideDocumentSemanticTokens: (document, token, next) =>
        document.languageId === 'go' ? undefined : next(document, token),
      provideDocumentRangeSemanticTokens: (document, range, token, next) =>
        document.languageId === 'go' ? undefined : next(document, range, token),
      executeCommand: async (command, parameters, next): Promise<unknown> => {
        const answer: unknown = await next(command, parameters);
        if (command === RUN_CASES) {
          showOutcome(answer);
        }
        return answer;
      },
      workspace: {
        // The server requests the settings. A notification would include defaults, which take precedence over
        // `.crd-ls.toml`.
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

/** Shows the result of test cases that a lens ran. The failures themselves are problems at their cases. */
function showOutcome(answer: unknown): void {
  const shown = outcome(answer);
  if (shown?.hasFailed === true) {
    void vscode.window.showWarningMessage(`crd-ls: ${shown.text}`);
  } else if (shown !== undefined) {
    vscode.window.setStatusBarMessage(`crd-ls: ${shown.text}`, OUTCOME_SHOWN_FOR);
  }
}

/** The part of `package.json` that is read here. */
interface Manifest {
  contributes: { configuration: { properties: { 'crd-ls.kubernetesVersion': { enum: string[] } } } };
}
