// The choice of the program that runs as the server.

import assert from 'node:assert/strict';
import { chmodSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import { test } from 'node:test';
import { candidates, search, type Surroundings } from '../src/binary.ts';

const HERE: Surroundings = {
  setting: '',
  extension: '/extension',
  searchPath: '/usr/bin:/bin',
  home: '/home/me',
  platform: 'linux',
};

const paths = (surroundings: Partial<Surroundings>): string[] =>
  candidates({ ...HERE, ...surroundings }).map(({ path }) => path);

/** Answers of programs by path. Programs without an entry are missing. */
function answers(known: Record<string, string | Error>): (program: string) => Promise<string> {
  return (program) => {
    const answer = known[program] ?? Object.assign(new Error('spawn'), { code: 'ENOENT' });
    return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer);
  };
}

test('the setting takes precedence over the bundled program, which takes precedence over PATH', () => {
  assert.deepEqual(paths({ setting: '/opt/crd-ls' }), [
    '/opt/crd-ls',
    '/extension/server/crd-ls',
    '/usr/bin/crd-ls',
    '/bin/crd-ls',
  ]);
});

test('~ is the home directory', () => {
  assert.equal(paths({ setting: '~/bin/crd-ls' })[0], '/home/me/bin/crd-ls');
  assert.equal(paths({ setting: '/a/~b' })[0], '/a/~b');
});

test('relative entries of PATH are ignored', () => {
  assert.deepEqual(paths({ searchPath: '.:bin::/usr/bin' }), ['/extension/server/crd-ls', '/usr/bin/crd-ls']);
});

test('Windows has its own names', () => {
  const windows = {
    platform: 'win32',
    extension: 'C:\\e',
    searchPath: 'C:\\Windows;.',
    home: 'C:\\me',
  } as const;
  assert.deepEqual(paths({ ...windows, setting: '~\\crd-ls.exe' }), [
    'C:\\me\\crd-ls.exe',
    'C:\\e\\server\\crd-ls.exe',
    'C:\\Windows\\crd-ls.exe',
  ]);
});

test('the first program that answers is used, and the refused ones before it are reported', async () => {
  const found = await search(
    { ...HERE, setting: '/opt/other' },
    answers({ '/opt/other': 'other 1.0\n', '/usr/bin/crd-ls': 'crd-ls 0.2.0\n' }),
  );
  assert.deepEqual(found.server, { origin: 'PATH', path: '/usr/bin/crd-ls', version: '0.2.0' });
  assert.deepEqual(
    found.refused.map(({ origin, reason }) => [origin, reason.slice(0, 26)]),
    [
      ['setting', 'this is a different progra'],
      ['bundled', 'the program does not exist'],
    ],
  );
});

test('without any program there is no server, and entries of PATH without it are not reported', async () => {
  const found = await search(HERE, answers({}));
  assert.equal(found.server, undefined);
  assert.deepEqual(
    found.refused.map(({ origin }) => origin),
    ['bundled'],
  );
});

test('programs that fail, are not executable or have a relative path are refused with the reason', async () => {
  const directory = mkdtempSync(path.join(tmpdir(), 'crd-ls-'));
  const program = path.join(directory, 'crd-ls');
  writeFileSync(program, '#!/bin/sh\nexit 3\n');
  const reason = async (setting: string): Promise<string | undefined> =>
    (await search({ ...HERE, setting, searchPath: '' })).refused[0]?.reason;
  assert.match((await reason(program)) ?? '', /not permitted/);
  chmodSync(program, 0o755);
  assert.match((await reason(program)) ?? '', /status 3.*a platform other/);
  assert.match((await reason('bin/crd-ls')) ?? '', /not absolute/);
});
