/** Messages of the protocol as text, without headers. */
export interface Transport {
  send(message: string): void;
  subscribe(handler: (message: string) => void): void;
  unsubscribe(handler: (message: string) => void): void;
}

export interface Options {
  /** What the worker loads the module from: an address or bytes, also packed by gzip; without it the file beside the worker. */
  source?: string | Uint8Array | undefined;
  /** So long may the worker take before it is given up, in milliseconds. */
  patience?: number;
  onReady?: (version: { version: string; oldest: string; newest: string; default: string }) => void;
  /** A worker was given up and another one started: clients connect again. */
  onRestart?: (reason: string) => void;
}

/** A worker with the engine, and another one where it hangs or crashes. */
export class Server {
  constructor(create: () => Worker, options?: Options);
  readonly transport: Transport;
  /** Calls a method of `Engine`, such as `check`, with its parameters. */
  call(method: string, params?: unknown): Promise<unknown>;
  /** Whether something that it was told is not answered. */
  readonly isBusy: boolean;
  restart(reason: string): void;
  close(): void;
}
