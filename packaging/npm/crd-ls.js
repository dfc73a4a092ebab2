#!/usr/bin/env node
// Starts the program of the package for this platform, which npm installs as an optional dependency.
'use strict';

const { spawn } = require('node:child_process');

/** The packages whose program may run here, the most likely first. */
function packages() {
  const name = `@crd-ls/${process.platform}-${process.arch}`;
  if (process.platform !== 'linux') return [name];
  const { header } = process.report.getReport();
  // The program for musl is static, so it also runs with glibc.
  return header.glibcVersionRuntime === undefined ? [`${name}-musl`] : [name, `${name}-musl`];
}

/** The path of the program, if a package that contains it is installed. */
function program() {
  const file = process.platform === 'win32' ? 'crd-ls.exe' : 'crd-ls';
  for (const name of packages()) {
    try {
      return require.resolve(`${name}/bin/${file}`);
    } catch (problem) {
      if (problem.code !== 'MODULE_NOT_FOUND') throw problem;
    }
  }
  return undefined;
}

const path = program();
if (path === undefined) {
  console.error(
    `crd-ls: ${packages().join(' or ')} is not installed. Install crd-ls again with optional dependencies ` +
      '(without --omit=optional); if the platform has no package, use `cargo install crd-ls`.',
  );
  process.exit(2);
}
const child = spawn(path, process.argv.slice(2), { stdio: 'inherit' });
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
child.on('error', (problem) => {
  console.error(`crd-ls: ${path}: ${problem.message}`);
  process.exit(2);
});
child.on('exit', (status, signal) => {
  if (signal === null) process.exit(status);
  // The parent process should see the signal that ended the program.
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
});
