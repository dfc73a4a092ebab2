// The engine in a worker. It receives `{ load }` first, then messages of the protocol as `{ lsp }` and calls as
// `{ id, method, params }`. Waiting messages are processed together, so that a text is analysed once regardless of how many
// keys were pressed meanwhile.

import { Crash, load } from "./index.js";

let engine;
let waiting = [];
let isPlanned = false;

self.onmessage = async ({ data }) => {
  if ("load" in data) {
    try {
      engine = await load(data.load ?? undefined);
      self.postMessage({ ready: engine.version() });
      plan();
    } catch (error) {
      self.postMessage({ failed: error.message });
    }
    return;
  }
  waiting.push(data);
  plan();
};

function plan() {
  if (isPlanned || engine === undefined) return;
  isPlanned = true;
  setTimeout(takeAll);
}

function takeAll() {
  isPlanned = false;
  const all = waiting;
  waiting = [];
  try {
    const messages = all.filter((one) => "lsp" in one).map((one) => one.lsp);
    if (messages.length > 0) self.postMessage({ lsp: engine.lsp(messages) });
  } catch (error) {
    // The open texts are lost, so the client must start a new worker.
    self.postMessage({ failed: error.message });
  }
  for (const { id, method, params } of all.filter((one) => "method" in one)) {
    try {
      self.postMessage({ id, result: engine.call(method, params) });
    } catch (error) {
      self.postMessage({ id, error: error.message });
      if (error instanceof Crash) self.postMessage({ failed: error.message });
    }
  }
  self.postMessage({ taken: all.length });
}
