// The session of the server: starts, monitors and restarts it.

import * as vscode from 'vscode';
import {
  CloseAction,
  ErrorAction,
  RevealOutputChannelOn,
  type BaseLanguageClient,
  type LanguageClientOptions,
  type StaticFeature,
} from 'vscode-languageclient';
import { endedTooOften } from './problems.ts';
import type { NotJudged } from './report.ts';
import { Restarts } from './restarts.ts';
import type { Runner, Server } from './runner.ts';

/** The current state of the server. */
export type State =
  | { readonly kind: 'stopped' | 'starting' }
  | { readonly kind: 'running'; readonly server: Server }
  | { readonly kind: 'failed'; readonly reason: string };

/** The time after which a server that does not stop is killed, in milliseconds. */
const STOP_WITHIN = 2_000;
/** The maximum delay of the exit status after a server has closed its streams, in milliseconds. */
const EXIT_WITHIN = 1_000;
const SHOW_OUTPUT = 'Show Output';
const OPEN_SETTINGS = 'Open Settings';
const RESTART = 'Restart Server';

/** Declares to the server the commands that its lenses and completion items may use. */
const OUR_COMMANDS: StaticFeature = {
  fillClientCapabilities: (capabilities) => {
    // The last command opens the list of values after a completed key.
    const commands = ['crd-ls.showReferences', 'crd-ls.showEvaluation', 'editor.action.triggerSuggest'];
    capabilities.experimental = {
      ...(capabilities.experimental as object | undefined),
      commands: { commands },
    };
  },
  initialize: () => undefined,
  getState: () => ({ kind: 'static' }),
  clear: () => undefined,
};

/** The progress of the server's scan of the workspace. */
export interface IndexState {
  /** The number of files and open texts with definitions. */
  readonly files: number;
  /** Whether the scan is complete until something changes. */
  readonly isComplete: boolean;
  /** The kinds that they define, such as `Widget.example.com`, after the scan is complete. */
  readonly kinds?: readonly string[];
}

const INDEX = 'crd-ls/index';

/** Announces that the client shows the state. */
const SHOWS_INDEX: StaticFeature = {
  fillClientCapabilities: (capabilities) => {
    // Publishes findings for closed files; findings for open files are pulled and kept separate.
    capabilities.experimental = {
      ...(capabilities.experimental as object | undefined),
      [INDEX]: true,
      'crd-ls/publishesClosed': true,
    };
  },
  initialize: () => undefined,
  getState: () => ({ kind: 'static' }),
  clear: () => undefined,
};

/** Manages one server at a time, and the client that communicates with it. */
export class Session implements vscode.Disposable {
  private state: State = { kind: 'stopped' };
  private client: BaseLanguageClient | undefined;
  /** A new run invalidates pending work of earlier runs. */
  private run = 0;
  private work: Promise<void> = Promise.resolve();
  private timer: NodeJS.Timeout | undefined;
  private readonly restarts = new Restarts();
  private readonly changed = new vscode.EventEmitter<State>();
  private readonly runner: Runner;
  private readonly log: vscode.LogOutputChannel;
  private readonly options: LanguageClientOptions;
  private readonly settings: () => object;

  private indexed: IndexState | undefined;
  /** The kinds that the server knew last, such as `Widget.example.com`. */
  kinds: ReadonlySet<string> = new Set();

  readonly onDidChange = this.changed.event;

  constructor(
    runner: Runner,
    log: vscode.LogOutputChannel,
    options: LanguageClientOptions,
    settings: () => object,
  ) {
    this.runner = runner;
    this.log = log;
    this.options = options;
    this.settings = settings;
  }

  /** The limitations of a server here; empty if there are none. */
  get limits(): string {
    return this.runner.limits;
  }

  /** Whether the server requests settings. */
  get asksForSettings(): boolean {
    return this.runner.asksForSettings;
  }

  /** The current state of the server. */
  get current(): State {
    return this.state;
  }

  /** The progress of the scan of the workspace, if the server has reported it. */
  get index(): IndexState | undefined {
    return this.state.kind === 'running' ? this.indexed : undefined;
  }

  /** The server in use. */
  get server(): Server | undefined {
    return this.state.kind === 'running' ? this.state.server : undefined;
  }

  /** Starts or restarts the server, and forgets earlier failures. */
  restart(): Promise<void> {
    this.restarts.reset();
    return this.begin();
  }

  /** Notifies the server of changed settings, which it then requests or receives. */
  async settingsChanged(): Promise<void> {
    if (this.state.kind === 'running') {
      const settings = this.runner.asksForSettings ? null : this.settings();
      await this.client?.sendNotification('workspace/didChangeConfiguration', { settings });
    }
  }

  /** The Kubernetes release that the server uses for a document. */
  async kubernetesVersion(document: vscode.TextDocument): Promise<string | undefined> {
    if (this.state.kind !== 'running' || this.client === undefined) {
      return undefined;
    }
    const textDocument = this.client.code2ProtocolConverter.asTextDocumentIdentifier(document);
    const answer: unknown = await this.client.sendRequest('crd-ls/kubernetesVersion', { textDocument });
    return typeof answer === 'string' ? answer : undefined;
  }

  /** The objects of a document that are not checked, or only in part. */
  async notJudged(document: vscode.TextDocument): Promise<readonly NotJudged[]> {
    if (this.state.kind !== 'running' || this.client === undefined) {
      return [];
    }
    const textDocument = this.client.code2ProtocolConverter.asTextDocumentIdentifier(document);
    const answer: unknown = await this.client.sendRequest('crd-ls/notJudged', { textDocument });
    return Array.isArray(answer) ? (answer as NotJudged[]) : [];
  }

  /** The number of findings in the workspace; undefined if no server runs. */
  async checkWorkspace(): Promise<number | undefined> {
    if (this.state.kind !== 'running' || this.client === undefined) {
      return undefined;
    }
    const answer = await this.client.sendRequest<{ findings: number }>('workspace/executeCommand', {
      command: 'crd-ls.workspace.check',
    });
    return answer.findings;
  }

  /** Notifies the server, if one runs. */
  async notify(method: string, params: object): Promise<void> {
    if (this.state.kind === 'running') {
      await this.client?.sendNotification(method, params);
    }
  }

  /** Writes a line to the log. */
  note(line: string): void {
    this.log.info(line);
  }

  /** The server's answer to a command for a document; undefined if no server runs. */
  async execute(command: string, argument: object): Promise<unknown> {
    if (this.state.kind !== 'running' || this.client === undefined) {
      return undefined;
    }
    return this.client.sendRequest('workspace/executeCommand', { command, arguments: [argument] });
  }

  /** The text of a preview; undefined if the server does not know the document. */
  async preview(subject: {
    kind: string;
    uri: string;
    position?: object | undefined;
  }): Promise<string | undefined> {
    if (this.state.kind !== 'running' || this.client === undefined) {
      return undefined;
    }
    const { kind, uri, position } = subject;
    const answer: unknown = await this.client.sendRequest('workspace/executeCommand', {
      command: `crd-ls.preview.${kind}`,
      arguments: [{ uri, position }],
    });
    return typeof answer === 'string' ? answer : undefined;
  }

  async stop(): Promise<void> {
    this.run += 1;
    clearTimeout(this.timer);
    this.work = this.work.then(() => this.end());
    await this.work;
    this.enter({ kind: 'stopped' });
  }

  dispose(): void {
    void this.stop();
    this.changed.dispose();
  }

  private begin(): Promise<void> {
    this.run += 1;
    clearTimeout(this.timer);
    const run = this.run;
    this.work = this.work.then(async () => {
      if (run !== this.run) {
        return;
      }
      try {
        await this.end();
        await this.start(run);
      } catch (error) {
        this.fail(`crd-ls cannot be started: ${String(error)}`, [RESTART, SHOW_OUTPUT]);
      }
    });
    return this.work;
  }

  private async start(run: number): Promise<void> {
    this.indexed = undefined;
    this.enter({ kind: 'starting' });
    const { server, problem } = await this.runner.find();
    if (server === undefined) {
      this.fail(problem ?? 'crd-ls cannot be started: no server was found.', [OPEN_SETTINGS, SHOW_OUTPUT]);
      return;
    }
    if (problem !== undefined) {
      void this.showMessage(vscode.window.showWarningMessage, problem, [OPEN_SETTINGS]);
    }
    const { client, exit } = this.runner.client(server, {
      ...this.options,
      outputChannel: this.log,
      revealOutputChannelOn: RevealOutputChannelOn.Never,
      // Ends are counted here, across several clients.
      errorHandler: {
        error: () => ({ action: ErrorAction.Continue, handled: true }),
        closed: () => {
          void ended();
          return { action: CloseAction.DoNotRestart, handled: true };
        },
      },
      initializationFailedHandler: () => false,
    });
    // The exit status may be available a little later than the end of the stream.
    const ended = async (): Promise<void> => {
      this.ended(run, await Promise.race([exit, pause(EXIT_WITHIN).then(() => 'by itself')]));
    };
    void exit.then((how) => {
      this.log.info(`The server ended ${how}.`);
    });
    client.registerFeature(OUR_COMMANDS);
    this.client = client;
    client.registerFeature(SHOWS_INDEX);
    client.onNotification(INDEX, (state: IndexState) => {
      this.indexed = state;
      this.kinds = state.kinds === undefined ? this.kinds : new Set(state.kinds);
      this.changed.fire(this.state);
    });
    try {
      await client.start();
    } catch (error) {
      this.log.error(`The server did not start: ${String(error)}`);
      await ended();
      return;
    }
    if (run === this.run && client.isRunning()) {
      this.log.info(`crd-ls ${server.version} runs: ${server.path} (${server.origin})`);
      this.enter({ kind: 'running', server });
    }
  }

  /** Handles an unexpected end of the server of `run`. A second report of the same end is ignored. */
  private ended(run: number, how: string): void {
    if (run !== this.run) {
      return;
    }
    this.run += 1;
    const wait = this.restarts.next(Date.now());
    if (wait === undefined) {
      this.fail(endedTooOften(how), [RESTART, SHOW_OUTPUT]);
      return;
    }
    this.log.warn(`The server ended ${how}; it restarts in ${wait / 1000} s.`);
    this.enter({ kind: 'starting' });
    this.timer = setTimeout(() => void this.begin(), wait);
  }

  /** Stops the running server, regardless of its answers. */
  private async end(): Promise<void> {
    const { client } = this;
    this.client = undefined;
    try {
      await client?.dispose(STOP_WITHIN);
    } catch (error) {
      this.log.debug(`Stopping the server: ${String(error)}`);
    }
    this.runner.kill();
  }

  private fail(reason: string, buttons: readonly string[]): void {
    this.enter({ kind: 'failed', reason });
    this.log.error(reason);
    void this.showMessage(vscode.window.showErrorMessage, reason, buttons);
  }

  private async showMessage(
    show: (message: string, ...buttons: string[]) => Thenable<string | undefined>,
    message: string,
    buttons: readonly string[],
  ): Promise<void> {
    switch (await show(message, ...buttons)) {
      case SHOW_OUTPUT:
        this.log.show();
        break;
      case OPEN_SETTINGS:
        await vscode.commands.executeCommand('workbench.action.openSettings', 'crd-ls.server.path');
        break;
      case RESTART:
        await this.restart();
        break;
      default:
    }
  }

  private enter(state: State): void {
    this.state = state;
    this.changed.fire(state);
  }
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, milliseconds);
  });
}
