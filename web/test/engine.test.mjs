// Tests of the npm package.

import assert from "node:assert/strict";
import { test } from "node:test";

import { load } from "../package/index.js";
import { examples } from "../playground/src/examples.js";
import { lacks } from "./support.mjs";

const skip = lacks();
if (skip) console.log(`skipped: the npm package, ${skip}`);

const named = ({ definition, resource }) => [
  { path: "definition.yaml", text: definition },
  { path: "resource.yaml", text: resource },
];

test("each example shows what it is named after", { skip }, async () => {
  const engine = await load();
  for (const example of examples) {
    const { files } = engine.check({ files: named(example) });
    const codes = files.flatMap(({ diagnostics }) => diagnostics.map(({ code }) => code));
    for (const code of example.shows) assert.ok(codes.includes(code), `${example.name}: ${codes.join(", ")}`);
  }
});

test("functions answer", { skip }, async () => {
  const engine = await load();
  const [first] = examples;
  const [definition, resource] = named(first);
  assert.match(engine.version().default, /^1\.\d+$/);
  const [fixed] = engine.fix({ files: [definition] });
  assert.ok(fixed.changed && /type: integer|type: number/.test(fixed.text), fixed.text);
  const sound = { path: "definition.yaml", text: fixed.text };
  assert.equal(engine.sample({ definition: sound })[0].kind, "Widget");
  assert.match(engine.openapi({ definition: sound })[0].yaml, /com\.example\.v1\.Widget/);
  assert.match(engine.stored({ definition: sound, resource }).objects[0].text, /size: 3/);
  assert.equal(engine.eval({ definition: sound, resource, expression: "self.spec.size + 1" })[0].evaluated.rules[0].value, "4");
  const lamp = examples.find(({ old }) => old !== undefined);
  const changes = engine.diff({ old: { text: lamp.old }, new: { text: lamp.definition } });
  assert.ok(changes.some(({ class: how }) => how === "breaking"), JSON.stringify(changes));
  assert.match(engine.explain("structural/type-required"), /type/);
  assert.throws(() => engine.explain("no/such"), /there is no rule/);
  assert.throws(() => engine.check({}), /wrong parameters/);
});

const open = (uri, text) => ({
  jsonrpc: "2.0",
  method: "textDocument/didOpen",
  params: { textDocument: { uri, languageId: "yaml", version: 1, text } },
});

test("the protocol is spoken", { skip }, async () => {
  const engine = await load();
  const capabilities = { textDocument: { codeAction: { codeActionLiteralSupport: { codeActionKind: { valueSet: [] } } } } };
  const [initialized] = engine.lsp([{ jsonrpc: "2.0", id: 1, method: "initialize", params: { capabilities } }]);
  assert.ok(initialized.result.capabilities.hoverProvider);
  assert.equal(initialized.result.capabilities.diagnosticProvider, undefined);
  const [definition, resource] = named(examples[0]);
  const published = engine.lsp([open("crd-ls:///d.yaml", definition.text), open("crd-ls:///r.yaml", resource.text)]);
  const of = (messages, uri) => messages.findLast(({ params }) => params?.uri === uri)?.params.diagnostics;
  const [wrong] = of(published, "crd-ls:///d.yaml");
  assert.equal(wrong.code, "structural/type-required");

  const request = (id, method, params) => ({ jsonrpc: "2.0", id, method, params });
  const textDocument = { uri: "crd-ls:///d.yaml" };
  const ask = (method, params) => engine.lsp([request(7, method, { textDocument, ...params })]).find(({ id }) => id === 7).result;
  const actions = ask("textDocument/codeAction", { range: wrong.range, context: { diagnostics: [wrong] } });
  const edits = actions[0].edit.changes["crd-ls:///d.yaml"];
  const change = { jsonrpc: "2.0", method: "textDocument/didChange", params: { textDocument: { ...textDocument, version: 2 } } };
  change.params.contentChanges = edits.map(({ range, newText }) => ({ range, text: newText }));
  const after = engine.lsp([change]);
  assert.deepEqual(of(after, "crd-ls:///d.yaml").filter(({ severity }) => severity === 1), []);
  const place = { line: definition.text.split("\n").findIndex((line) => line.includes("minimum")), character: 19 };
  assert.ok(ask("textDocument/hover", { position: place }).contents.value.length > 0);
  assert.ok(ask("textDocument/documentSymbol", {}).length > 0);
});

test("what waits is analysed once, and what is cancelled is not answered", { skip }, async () => {
  const engine = await load();
  const messages = engine.lsp([
    { jsonrpc: "2.0", id: 1, method: "initialize", params: { capabilities: {} } },
    open("crd-ls:///a.yaml", "a: 1\n"),
    ...[2, 3, 4].map((version) => ({
      jsonrpc: "2.0",
      method: "textDocument/didChange",
      params: { textDocument: { uri: "crd-ls:///a.yaml", version }, contentChanges: [{ text: `a: ${version}\n` }] },
    })),
    { jsonrpc: "2.0", id: 2, method: "textDocument/hover", params: { textDocument: { uri: "crd-ls:///a.yaml" }, position: { line: 0, character: 0 } } },
    { jsonrpc: "2.0", method: "$/cancelRequest", params: { id: 2 } },
  ]);
  const published = messages.filter(({ method }) => method === "textDocument/publishDiagnostics");
  assert.deepEqual(published.map(({ params }) => params.version), [4]);
  assert.equal(messages.find(({ id }) => id === 2).error.code, -32800);
});

test("deep and broken texts are answered", { skip }, async () => {
  const engine = await load();
  const deep = (levels) => Array.from({ length: levels }, (_, level) => `${" ".repeat(level)}a:`).join("\n");
  for (const text of [deep(390), "[".repeat(5000), "{".repeat(5000), "a: [", "\u0000\ud800", "- ".repeat(3000), "&a [*a]"]) {
    assert.equal(engine.check({ files: [{ text }] }).files.length, 1);
  }
});
