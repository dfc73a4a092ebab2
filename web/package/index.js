// The functions of crd-ls: JSON goes into the module's memory, and JSON comes out of it.

/** The first bytes of a gzip file. */
const GZIP = [0x1f, 0x8b];

/** The bytes at an address, which may be in the file system. */
async function bytesAt(url) {
  if (url.protocol === "file:") {
    const { readFile } = await import("node:fs/promises");
    return readFile(url);
  }
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url.href}: ${response.status} ${response.statusText}`);
  return new Uint8Array(await response.arrayBuffer());
}

/** The bytes, decompressed if necessary. */
async function unpacked(bytes) {
  if (bytes[0] !== GZIP[0] || bytes[1] !== GZIP[1]) return bytes;
  const unpacked = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(unpacked).arrayBuffer());
}

/** Loads the module from `source`: an address, its bytes, or a compiled module. Bytes may be compressed with gzip. */
export async function load(source = new URL("./crd-ls.wasm", import.meta.url)) {
  if (source instanceof WebAssembly.Module) return new Engine(source, await WebAssembly.instantiate(source));
  const bytes = typeof source === "string" || source instanceof URL ? await bytesAt(new URL(source)) : source;
  const module = await WebAssembly.compile(await unpacked(bytes));
  return new Engine(module, await WebAssembly.instantiate(module));
}

/** The module crashed; its open texts are lost. */
export class Crash extends Error {
  constructor(method, cause) {
    super(`crd-ls crashed in ${method}: ${cause.message}`, { cause });
    this.name = "Crash";
  }
}

export class Engine {
  #module;
  #instance;

  constructor(module, instance) {
    this.#module = module;
    this.#instance = instance;
  }

  /** Calls `method` and returns its answer as JSON text. */
  text(method, params) {
    // Strings may end with a lone surrogate, which UTF-8 cannot represent.
    const wellFormed = (_, value) => (typeof value === "string" ? value.toWellFormed() : value);
    const call = new TextEncoder().encode(JSON.stringify({ method, params }, wellFormed));
    const { memory, input, call: answer, output } = this.#instance.exports;
    let bytes;
    try {
      // Each function may grow the memory, which replaces `buffer`.
      const place = input(call.length);
      new Uint8Array(memory.buffer, place, call.length).set(call);
      const length = answer();
      const result = output();
      bytes = new Uint8Array(memory.buffer, result, length);
    } catch (cause) {
      // The state after a crash is not used again.
      this.#instance = new WebAssembly.Instance(this.#module);
      throw new Crash(method, cause);
    }
    return new TextDecoder().decode(bytes);
  }

  /** Calls `method`. Throws if the answer is an error. */
  call(method, params) {
    const answer = JSON.parse(this.text(method, params));
    if (answer.error !== undefined) throw new Error(answer.error);
    return answer.result;
  }

  version() {
    return this.call("version");
  }

  check(params) {
    return this.call("check", params);
  }

  fix(params) {
    return this.call("fix", params).files;
  }

  sample(params) {
    return this.call("sample", params);
  }

  openapi(params) {
    return this.call("openapi", params);
  }

  cost(params) {
    return this.call("cost", params);
  }

  versions(params) {
    return this.call("versions", params);
  }

  eval(params) {
    return this.call("eval", params);
  }

  stored(params) {
    return this.call("stored", params);
  }

  diff(params) {
    return this.call("diff", params);
  }

  explain(code) {
    return this.call("explain", { code });
  }

  /** Processes messages of the Language Server Protocol in order and returns the messages for the client. */
  lsp(messages) {
    return this.call("lsp", messages);
  }
}
