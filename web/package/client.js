// A worker with the engine, for pages: a transport for a client of the protocol, calls, and another worker where one hangs or
// crashes.

/** So long may the worker work on what it was told before it counts as hung, in milliseconds. */
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
  /** How many messages the worker has not taken yet. */
  #pending = 0;
  #told;

  /**
   * `create` makes a worker of `crd-ls-wasm/worker`; `source` is what it loads the module from; `onRestart(reason)` is told when
   * a worker was given up, after which a client of the protocol must connect again.
   */
  constructor(create, { source, patience = PATIENCE, onReady = () => {}, onRestart = () => {} } = {}) {
    this.#create = create;
    this.#source = source;
    this.#patience = patience;
    this.#told = { onReady, onRestart };
    this.#start();
    /** What clients such as CodeMirror's take: messages as text. */
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

  /** Gives the worker up and starts another one. */
  restart(reason) {
    this.#rest();
    this.#pending = 0;
    this.#worker.terminate();
    for (const { reject } of this.#calls.values()) reject(new Error(reason));
    this.#calls.clear();
    this.#start();
    this.#told.onRestart(reason);
  }

  /** Whether something that it was told is not answered. */
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

  /** A network may take its time: only a worker that has loaded counts as hung. */
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
      this.#told.onReady(data.ready);
    }
    if (data.failed) {
      // What cannot be loaded cannot be loaded again at once either.
      if (!this.#isReady) return this.#told.onRestart(data.failed);
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
