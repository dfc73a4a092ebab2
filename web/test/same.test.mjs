// The module and the program give the same answers, byte for byte.

import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";

import { load } from "../package/index.js";
import { cases, lacks, printed } from "./support.mjs";

const skip = lacks("program");
if (skip) console.log(`skipped: comparison of the module with the program, ${skip}`);

/** The number of texts that one process checks. */
const AT_ONCE = 200;

function inFolder(texts, look) {
  const folder = mkdtempSync(join(tmpdir(), "crd-ls-web-"));
  try {
    for (const [name, text] of Object.entries(texts)) {
      mkdirSync(join(folder, name, ".."), { recursive: true });
      writeFileSync(join(folder, name), text);
    }
    return look(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test("all cases have the same findings and fixes", { skip }, async () => {
  const engine = await load();
  const all = cases();
  assert.ok(all.length > 1000, `${all.length} cases`);
  const different = [];
  for (let start = 0; start < all.length; start += AT_ONCE) {
    // All definitions of a process apply to its resources, so both sides get the same texts.
    const files = all.slice(start, start + AT_ONCE).map(({ text }, at) => ({ path: `case-${1000 + at}.yaml`, text }));
    const texts = Object.fromEntries(files.map(({ path, text }) => [path, text]));
    const native = inFolder(texts, (folder) => printed(folder, "check", "--output", "json", ...files.map(({ path }) => path)));
    const answer = engine.text("check", { files });
    const ours = answer.slice('{"result":'.length, -1);
    if (ours === native.trimEnd()) continue;
    const [here, there] = [JSON.parse(ours).files, JSON.parse(native).files];
    for (const [at, file] of here.entries()) {
      if (JSON.stringify(file) !== JSON.stringify(there[at])) different.push({ name: all[start + at].name, here: file, there: there[at] });
    }
    if (different.length === 0) different.push({ name: `the summary from ${all[start].name} on` });
  }
  const shown = different.slice(0, 3).map((one) => JSON.stringify(one, null, 1).slice(0, 4000));
  assert.equal(different.length, 0, `${different.length} of ${all.length}: ${shown.join("\n")}`);
});

test("previews are the same", { skip }, async () => {
  const engine = await load();
  const definitions = cases().filter(({ text }) => /^kind: CustomResourceDefinition$/m.test(text));
  let compared = 0;
  for (const { name, text } of definitions.filter((_, at) => at % 10 === 0)) {
    inFolder({ "d.yaml": text }, (folder) => {
      const lines = (...args) => printed(folder, ...args, "--output", "json", "d.yaml").split("\n").filter(Boolean);
      // Compared as text, because JavaScript numbers are less precise than costs.
      const ours = (method) => {
        const answer = engine.text(method, { definition: { path: "d.yaml", text } });
        return answer.startsWith('{"result":') ? answer.slice('{"result":'.length, -1) : "[]";
      };
      for (const method of ["cost", "sample"]) {
        assert.equal(ours(method), `[${lines(method).join(",")}]`, `${method} of ${name}`);
      }
      const published = ours("openapi");
      for (const version of lines("openapi")) assert.ok(published.includes(version), `published schema of ${name}`);
      compared += 1;
    });
  }
  assert.ok(compared > 20, `${compared} definitions`);
});
