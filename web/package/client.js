// Runs the engine in a worker, for pages: a transport for a client of the protocol, calls, and a replacement if the worker
// hangs or crashes.

/** The time after which a worker that does not answer counts as hung, in milliseconds. */
const PATIENCE = 10_000;

export class Server {
  #create;
  #source;
  #patience;
  #worker;
  #handlers = new Set();
  #calls = new Map();
  #next = 1;
  #watch;
  #isReady = false;
  /** The number of messages that the worker has not processed yet. */
  #pending = 0;
  #callbacks;

  /**
   * `create` creates a worker of `crd-ls-wasm/worker`; `source` is the source of the module; `onRestart(reason)` is called
   * when a worker has been replaced, after which a client of the protocol must connect again.
   */
  constructor(create, { source, patience = PATIENCE, onReady = () => {}, onRestart = () => {} } = {}) {
    this.#create = create;
    this.#source = source;
    this.#patience = patience;
    this.#callbacks = { onReady, onRestart };
    this.#start();
    /** The transport for clients such as CodeMirror's: messages as text. */
    this.transport = {
      send: (message) => this.#post({ lsp: JSON.parse(message) }),
      subscribe: (handler) => this.#handlers.add(handler),
      unsubscribe: (handler) => this.#handlers.delete(handler),
    };
  }

  /** Calls a method of the engine. */
  call(method, params) {
    const id = this.#next++;
    return new Promise((resolve, reject) => {
      this.#calls.set(id, { resolve, reject });
      this.#post({ id, method, params });
    });
  }

  /** Replaces the worker with a new one. */
  restart(reason) {
    this.#rest();
    this.#pending = 0;
    this.#worker.terminate();
    for (const { reject } of this.#calls.values()) reject(new Error(reason));
    this.#calls.clear();
    this.#start();
    this.#callbacks.onRestart(reason);
  }

  /** Whether a message has not been answered yet. */
  get isBusy() {
    return this.#pending > 0;
  }

  close() {
    this.#rest();
    this.#worker.terminate();
  }

  #start() {
    const worker = this.#create();
    this.#worker = worker;
    this.#isReady = false;
    worker.onmessage = ({ data }) => this.#hear(data);
    worker.onerror = (event) => this.restart(`The worker failed: ${event.message}`);
    worker.postMessage({ load: this.#source ?? null });
  }

  #post(message) {
    this.#worker.postMessage(message);
    this.#pending += 1;
    this.#beginToWait();
  }

  /** Loading over a network may take long: only a loaded worker counts as hung. */
  #beginToWait() {
    if (!this.#isReady || this.#pending === 0) return;
    const reason = `crd-ls did not answer for ${this.#patience / 1000} seconds`;
    this.#watch ??= setTimeout(() => this.restart(reason), this.#patience);
  }

  #rest() {
    clearTimeout(this.#watch);
    this.#watch = undefined;
  }

  #hear(data) {
    if (data.ready) {
      this.#isReady = true;
      this.#beginToWait();
      this.#callbacks.onReady(data.ready);
    }
    if (data.failed) {
      // A module that failed to load would fail again immediately.
      if (!this.#isReady) return this.#callbacks.onRestart(data.failed);
      return this.restart(data.failed);
    }
    if (data.taken !== undefined) {
      this.#rest();
      this.#pending -= data.taken;
      this.#beginToWait();
    }
    for (const message of data.lsp ?? []) {
      const text = JSON.stringify(message);
      for (const handler of this.#handlers) handler(text);
    }
    if (data.id !== undefined) {
      const { resolve, reject } = this.#calls.get(data.id) ?? {};
      this.#calls.delete(data.id);
      if (data.error !== undefined) reject?.(new Error(data.error));
      else resolve?.(data.result);
    }
  }
}
