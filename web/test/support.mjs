// Common helpers of the tests: the module, the program, and the cases of `fixtures/`.

import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const repository = fileURLToPath(new URL("../../", import.meta.url));
const module = join(repository, "web/package/crd-ls.wasm");

/** The program to compare with, as built by cargo. */
const target = process.env.CARGO_TARGET_DIR ?? join(repository, "target");
const program = ["debug", "release"].map((profile) => join(target, profile, "crd-ls")).find((path) => existsSync(path));

/** Why tests are skipped; false if nothing is missing. */
export function lacks(...what) {
  if (!existsSync(module)) return "no module: run `cargo xtask web`";
  if (what.includes("program") && program === undefined) return "no program: run `cargo build`";
  return false;
}

/** The output of the program, with its exit status: findings are not a failure of a test. */
export function printed(folder, ...args) {
  try {
    return execFileSync(program, args, { cwd: folder, encoding: "utf8", maxBuffer: 1 << 30, stdio: ["ignore", "pipe", "ignore"] });
  } catch (error) {
    if (typeof error.stdout === "string" && error.status !== null) return error.stdout;
    throw error;
  }
}

function below(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? below(path) : [path];
  });
}

/** Blocks of YAML and JSON in a Markdown file. */
function* blocks(markdown) {
  const fence = /^(`{3,})(ya?ml|json)[^\n]*\n([\s\S]*?)^\1[ \t]*$/gm;
  for (const [, , , text] of markdown.matchAll(fence)) yield text;
}

/** Every text of `fixtures/`: YAML and JSON files, and blocks in Markdown files. */
export function cases() {
  const all = [];
  for (const path of below(join(repository, "fixtures"))) {
    const name = path.slice(repository.length);
    if (/\.(ya?ml|json)$/.test(path)) all.push({ name, text: readFileSync(path, "utf8") });
    if (path.endsWith(".md")) {
      let number = 0;
      for (const text of blocks(readFileSync(path, "utf8"))) all.push({ name: `${name} block ${++number}`, text });
    }
  }
  return all;
}
