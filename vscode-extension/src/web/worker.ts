// The server as a worker with the WebAssembly module.

/// <reference lib="webworker" />

import { Server as Worked } from 'crd-ls-wasm/client';
import * as vscode from 'vscode';
import {
  AbstractMessageReader,
  AbstractMessageWriter,
  LanguageClient,
  type DataCallback,
  type Disposable,
  type LanguageClientOptions,
  type Message,
} from 'vscode-languageclient/browser';
import type { Choice, Runner, Server, Started } from '../runner.ts';

const LIMITS = 'in the browser: without git, clusters and Go';

export class WorkerRunner implements Runner {
  readonly limits = LIMITS;
  readonly asksForSettings = false;
  private worked: Worked | undefined;
  private module: Uint8Array | undefined;
  private readonly extension: vscode.Uri;
  private readonly version: string;

  constructor(extension: vscode.Uri, version: string) {
    this.extension = extension;
    this.version = version;
  }

  async find(): Promise<Choice> {
    const place = vscode.Uri.joinPath(this.extension, 'server/crd-ls.wasm.gz');
    try {
      this.module ??= await vscode.workspace.fs.readFile(place);
    } catch (error) {
      const problem = `crd-ls cannot be started: ${place.toString(true)} cannot be read (${String(error)}). Reinstall the extension.`;
      return { server: undefined, problem };
    }
    return { server: { version: this.version, origin: 'WebAssembly', path: place.toString(true) } };
  }

  client(_server: Server, options: LanguageClientOptions): Started {
    const script = vscode.Uri.joinPath(this.extension, 'dist/web/worker.js').toString(true);
    let hasEnded: (how: string) => void = () => undefined;
    const exit = new Promise<string>((resolve) => (hasEnded = resolve));
    const connect = (): Promise<Transports> => {
      const reader = new Reader();
      const worked = new Worked(() => new Worker(script), {
        source: this.module,
        onRestart: (reason) => {
          worked.close();
          hasEnded(`(${reason})`);
          reader.close();
        },
      });
      reader.from = worked;
      this.worked = worked;
      return Promise.resolve({ reader, writer: new Writer(worked) });
    };
    return { client: new LanguageClient('crd-ls', 'crd-ls', connect, options), exit };
  }

  kill(): void {
    this.worked?.close();
    this.worked = undefined;
  }
}

interface Transports {
  readonly reader: Reader;
  readonly writer: Writer;
}

class Reader extends AbstractMessageReader {
  from: Worked | undefined;

  listen(callback: DataCallback): Disposable {
    const hear = (text: string): void => {
      callback(JSON.parse(text) as Message);
    };
    this.from?.transport.subscribe(hear);
    return { dispose: () => this.from?.transport.unsubscribe(hear) };
  }

  /** No further messages arrive. */
  close(): void {
    this.fireClose();
  }
}

class Writer extends AbstractMessageWriter {
  private readonly to: Worked;

  constructor(to: Worked) {
    super();
    this.to = to;
  }

  write(message: Message): Promise<void> {
    this.to.transport.send(JSON.stringify(message));
    return Promise.resolve();
  }

  end(): void {
    // The worker ends with the runner.
  }
}
