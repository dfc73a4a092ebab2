// Builds the playground's files in `dist`: a folder for any file server, below any path.
//
//     node playground/build.mjs [FOLDER]

import { createHash } from "node:crypto";
import { cp, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";

const here = new URL("./", import.meta.url);
const path = (name) => new URL(name, here).pathname;
const dist = process.argv[2] ?? path("dist");

await rm(dist, { recursive: true, force: true });
await mkdir(dist, { recursive: true });
const shared = { bundle: true, minify: true, format: "esm", target: "es2022", legalComments: "linked" };
await build({ ...shared, entryPoints: [path("src/main.js")], outfile: `${dist}/main.js` });
await build({
  ...shared,
  entryPoints: [path("../package/worker.js")],
  outfile: `${dist}/worker.js`,
  // The page passes the module to the worker.
  define: { "import.meta.url": "self.location.href" },
  external: ["node:fs/promises"],
});
await cp(path("index.html"), `${dist}/index.html`);
await cp(path("style.css"), `${dist}/style.css`);
const module = await readFile(path("../package/crd-ls.wasm"));
// Compressed here, because not every file server compresses its responses.
const small = gzipSync(module, { level: 9 });
await writeFile(`${dist}/crd-ls.wasm.gz`, small);

const files = ["index.html", "style.css", "main.js", "worker.js", "crd-ls.wasm.gz"];
const hash = createHash("sha256");
for (const file of files) hash.update(await readFile(`${dist}/${file}`));
await build({
  ...shared,
  entryPoints: [path("src/sw.js")],
  outfile: `${dist}/sw.js`,
  define: {
    __FILES__: JSON.stringify(["./", ...files]),
    __BUILD__: JSON.stringify(hash.digest("hex").slice(0, 16)),
  },
});
console.log(`playground: ${dist}, module ${module.length} bytes, ${small.length} compressed`);
