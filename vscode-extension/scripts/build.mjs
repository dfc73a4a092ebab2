// Bundles the extension: for Node, and for browsers.
import path from 'node:path';
import { build } from 'esbuild';

const engine = path.resolve('../web/package');
const shared = { bundle: true, minify: true, logLevel: 'warning' };

await build({
  ...shared,
  entryPoints: ['src/extension.ts'],
  outfile: 'dist/extension.js',
  platform: 'node',
  format: 'cjs',
  // The Node of VS Code 1.91.
  target: 'node20',
  external: ['vscode'],
});

const forBrowsers = { ...shared, platform: 'browser', target: 'es2022', conditions: ['browser'] };
await build({
  ...forBrowsers,
  entryPoints: ['src/web/extension.ts'],
  outfile: 'dist/web/extension.js',
  format: 'cjs',
  external: ['vscode'],
  alias: { 'crd-ls-wasm': engine },
});
await build({
  ...forBrowsers,
  entryPoints: [path.join(engine, 'worker.js')],
  outfile: 'dist/web/worker.js',
  format: 'iife',
  // The extension passes the module to the worker.
  define: { 'import.meta.url': 'self.location.href' },
  external: ['node:fs/promises'],
});
