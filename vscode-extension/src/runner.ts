// Runs the server: as a program, or as a worker of a browser.

import type { BaseLanguageClient, LanguageClientOptions } from 'vscode-languageclient';

/** An available server. */
export interface Server {
  readonly version: string;
  /** Its origin, as shown to the user. */
  readonly origin: string;
  readonly path: string;
}

/** The result of the search for a server. */
export interface Choice {
  readonly server: Server | undefined;
  /** Why there is no server, or why it differs from the requested one; with the next step. */
  readonly problem?: string | undefined;
}

/** A client that starts its server. */
export interface Started {
  readonly client: BaseLanguageClient;
  /** How the server ended, such as `with status 1`. Pending while it runs. */
  readonly exit: Promise<string>;
}

/** Runs one server at a time. */
export interface Runner {
  /** The limitations of a server here, for the status; empty if there are none. */
  readonly limits: string;
  /** Whether the server requests settings. Otherwise, it is sent the settings after each change. */
  readonly asksForSettings: boolean;
  find(): Promise<Choice>;
  client(server: Server, options: LanguageClientOptions): Started;
  /** Ends a server that still runs. */
  kill(): void;
}
