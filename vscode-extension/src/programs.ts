// Finds the server as a program in the settings, in the extension and in PATH, and runs it.

import { spawn, type ChildProcess } from 'node:child_process';
import * as os from 'node:os';
import * as vscode from 'vscode';
import { LanguageClient, type LanguageClientOptions } from 'vscode-languageclient/node';
import { search } from './binary.ts';
import { noServer, settingRefused, tried } from './problems.ts';
import type { Choice, Runner, Server, Started } from './runner.ts';

/** A client that shows no message if it fails to start. The session reports the failure once instead of for each attempt. */
class QuietClient extends LanguageClient {
  override error(message: string, data?: unknown, show?: boolean | 'force'): void {
    super.error(message, data, show === 'force' ? false : show);
  }
}

export class Programs implements Runner {
  readonly limits = '';
  readonly asksForSettings = true;
  private process: ChildProcess | undefined;
  private readonly extension: vscode.Uri;
  private readonly log: vscode.LogOutputChannel;

  constructor(extension: vscode.Uri, log: vscode.LogOutputChannel) {
    this.extension = extension;
    this.log = log;
  }

  async find(): Promise<Choice> {
    const found = await search({
      setting: vscode.workspace.getConfiguration('crd-ls').get('server.path', ''),
      extension: this.extension.fsPath,
      searchPath: process.env.PATH ?? '',
      home: os.homedir(),
      platform: process.platform,
    });
    for (const line of tried(found.refused)) {
      this.log.warn(`Not used: ${line}`);
    }
    const { server } = found;
    const problem = server === undefined ? noServer(found, vscode.env.remoteName) : settingRefused(found);
    return { server, problem };
  }

  client(server: Server, options: LanguageClientOptions): Started {
    let hasExited: (how: string) => void = () => undefined;
    const exit = new Promise<string>((resolve) => (hasExited = resolve));
    const run = (): Promise<ChildProcess> => {
      const level = vscode.workspace.getConfiguration('crd-ls').get<string>('server.logLevel', 'off');
      // The level is passed in a variable, because older servers ignore unknown variables.
      const env = level === 'off' ? process.env : { ...process.env, CRD_LS_LOG: level };
      const child = spawn(server.path, ['server'], { windowsHide: true, env });
      child.on('exit', (code, signal) => {
        hasExited(signal === null ? `with status ${code ?? 'unknown'}` : `by ${signal}`);
      });
      child.on('error', (error) => {
        this.log.error(`The server cannot run: ${error.message}`);
      });
      this.process = child;
      return Promise.resolve(child);
    };
    return { client: new QuietClient('crd-ls', 'crd-ls', run, options), exit };
  }

  kill(): void {
    this.process?.kill();
    this.process = undefined;
  }
}
