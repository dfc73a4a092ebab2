// Bundles the extension into one file.
import { build } from 'esbuild';

await build({
  entryPoints: ['src/extension.ts'],
  outfile: 'dist/extension.js',
  bundle: true,
  minify: true,
  platform: 'node',
  format: 'cjs',
  // The Node of VS Code 1.91.
  target: 'node20',
  external: ['vscode'],
  logLevel: 'warning',
});
