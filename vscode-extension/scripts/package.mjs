// Packages the extension for one platform:
//
//     npm run package -- TARGET SERVER [OUT.vsix]
//
// TARGET is one of vsce's (linux-x64, alpine-arm64, darwin-arm64, win32-x64, ...), SERVER the program built for it. For
// the target `web`, which is VS Code for the Web, SERVER is the module that `cargo xtask web` builds.
import { copyFileSync, chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import process from 'node:process';
import { gzipSync } from 'node:zlib';

const { createVSIX } = createRequire(import.meta.url)('@vscode/vsce');

const [target, server, out] = process.argv.slice(2);
if (target === undefined || server === undefined) {
  console.error('usage: npm run package -- TARGET SERVER [OUT.vsix]');
  process.exit(2);
}

rmSync('server', { recursive: true, force: true });
mkdirSync('server');
if (target === 'web') {
  // Not every server that hosts extensions compresses its responses.
  writeFileSync('server/crd-ls.wasm.gz', gzipSync(readFileSync(server), { level: 9 }));
} else {
  const bundled = path.join('server', target.startsWith('win32') ? 'crd-ls.exe' : 'crd-ls');
  copyFileSync(server, bundled);
  chmodSync(bundled, 0o755);
}
const licences = ['LICENSE-MIT', 'LICENSE-APACHE'].map((name) => readFileSync(path.join('..', name), 'utf8'));
writeFileSync('LICENSE.txt', licences.join('\n' + '='.repeat(80) + '\n\n'));

// esbuild bundles everything. Links of the README stay unchanged while the project has no public address.
const { repository } = JSON.parse(readFileSync('package.json', 'utf8'));
await createVSIX({
  target,
  packagePath: out ?? `crd-ls-${target}.vsix`,
  dependencies: false,
  rewriteRelativeLinks: !repository.url.includes('/OWNER/'),
});
