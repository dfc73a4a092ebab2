// What runs the server: a program, or a worker of a browser.

import type { BaseLanguageClient, LanguageClientOptions } from 'vscode-languageclient';

/** A server that can run. */
export interface Server {
  readonly version: string;
  /** Where it was found, as people are told. */
  readonly origin: string;
  readonly path: string;
}

/** What there is to run. */
export interface Choice {
  readonly server: Server | undefined;
  /** Why there is none, or why it is not the one that was asked for; with the next step. */
  readonly problem?: string | undefined;
}

/** A client whose server starts with it. */
export interface Started {
  readonly client: BaseLanguageClient;
  /** How the server ended, such as `with status 1`; stays pending while it runs. */
  readonly exit: Promise<string>;
}

/** Runs one server at a time. */
export interface Runner {
  /** What a server cannot do here, as the status tells it; empty where it can do everything. */
  readonly limits: string;
  /** Whether the server asks for settings; otherwise it hears them with each change. */
  readonly asksForSettings: boolean;
  find(): Promise<Choice>;
  client(server: Server, options: LanguageClientOptions): Started;
  /** Ends what still runs. */
  kill(): void;
}
