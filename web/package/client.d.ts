/** Messages of the protocol as text, without headers. */
export interface Transport {
  send(message: string): void;
  subscribe(handler: (message: string) => void): void;
  unsubscribe(handler: (message: string) => void): void;
}

export interface Options {
  /** The source of the module: an address or bytes, optionally compressed with gzip; default: the file beside the worker. */
  source?: string | Uint8Array | undefined;
  /** The time after which a worker that does not answer is replaced, in milliseconds. */
  patience?: number;
  onReady?: (version: { version: string; oldest: string; newest: string; default: string }) => void;
  /** A worker was replaced; clients must connect again. */
  onRestart?: (reason: string) => void;
}

/** A worker with the engine, which is replaced if it hangs or crashes. */
export class Server {
  constructor(create: () => Worker, options?: Options);
  readonly transport: Transport;
  /** Calls a method of `Engine`, such as `check`, with its parameters. */
  call(method: string, params?: unknown): Promise<unknown>;
  /** Whether a message has not been answered yet. */
  readonly isBusy: boolean;
  restart(reason: string): void;
  close(): void;
}
