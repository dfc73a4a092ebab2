// Restarts, settings, and recognizing files for crd-ls.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import * as path from 'node:path';
import { test } from 'node:test';
import { onlyOurs } from '../src/definitions.ts';
import { definitionsKnown, noServer, settingRefused } from '../src/problems.ts';
import { leftOut, withoutDefinition, withPlace } from '../src/report.ts';
import { FORGIVEN_AFTER, PAUSES, Restarts } from '../src/restarts.ts';
import { mayBeOurs } from '../src/json.ts';
import { chosen, formats, OF_SERVER, reportsSyntaxErrors } from '../src/settings.ts';

test('another formatter takes precedence, unless the setting asks for ours', () => {
  assert.deepEqual(
    [formats('auto', false), formats('auto', true), formats(undefined, true)],
    [true, false, false],
  );
  assert.deepEqual([formats('always', true), formats('never', false)], [true, false]);
});

test('JSON is ours once it names a kind', () => {
  assert.ok(mayBeOurs('{"apiVersion": "v1", "kind": "List"}'));
  assert.ok(!mayBeOurs('{"name": "a package", "kind": "x"}'));
  assert.ok(!mayBeOurs('{"apiVersion": "v1"}'));
});

test('the pauses between restarts grow, and restarts end', () => {
  const restarts = new Restarts();
  const pauses = PAUSES.map((_, index) => restarts.next(index));
  assert.deepEqual(pauses, PAUSES);
  assert.deepEqual(
    [...PAUSES].sort((one, other) => one - other),
    PAUSES,
  );
  assert.equal(restarts.next(10), undefined);
  restarts.reset();
  assert.equal(restarts.next(11), PAUSES[0]);
});

test('the status names the kinds that nobody defines', () => {
  const of = (kind: string, reason: string) => ({ apiVersion: 'example.com/v1', kind, reason });
  assert.equal(withoutDefinition([]), undefined);
  assert.equal(withoutDefinition([of('Pod', 'unsupported-kind'), of('Widget', 'template')]), undefined);
  const missing = [of('Widget', 'no-definition'), of('Widget', 'no-definition')];
  assert.equal(withoutDefinition(missing), 'no definition of Widget in this workspace');
  const more = [...missing, of('Gadget', 'no-definition'), of('Gear', 'no-definition')];
  assert.equal(withoutDefinition(more), 'no definition of Widget and 2 more in this workspace');
});

test('the status names templates, which are not checked', () => {
  const of = (reason: string) => ({ apiVersion: 'example.com/v1', kind: 'Widget', reason });
  assert.equal(leftOut([of('unsupported-kind')]), undefined);
  assert.equal(leftOut([of('template')]), '1 template');
  assert.equal(leftOut([of('template'), of('template')]), '2 templates');
});

test('a place is added to the setting once', () => {
  assert.deepEqual(withPlace(undefined, 'crds'), ['crds']);
  assert.deepEqual(withPlace(['a'], 'crds'), ['a', 'crds']);
  assert.deepEqual(withPlace(['crds'], 'crds'), ['crds']);
});

test('a restart long ago does not count', () => {
  const restarts = new Restarts();
  for (let count = 0; count < 50; count += 1) {
    assert.equal(restarts.next(count * FORGIVEN_AFTER), PAUSES[0]);
  }
});

test('only settings with a value are sent, and the nearest value takes precedence', () => {
  const values: Record<string, object> = {
    kubernetesVersion: { defaultValue: '1.37', globalValue: '1.30', workspaceValue: '1.31' },
    rules: { defaultValue: {} },
    'inlayHints.cost': { defaultValue: true, globalValue: false },
  };
  assert.deepEqual(
    chosen((name) => values[name]),
    { kubernetesVersion: '1.31', inlayHints: { cost: false } },
  );
  assert.deepEqual(
    chosen(() => undefined),
    {},
  );
});

test('the server receives all settings except those of the extension itself', () => {
  const text = readFileSync(path.join(import.meta.dirname, '../package.json'), 'utf8');
  const manifest = JSON.parse(text) as {
    contributes: { configuration: { properties: Record<string, unknown> } };
  };
  const own = ['yaml.syntaxErrors', 'server.path', 'server.logLevel', 'trace.server'];
  const offered = Object.keys(manifest.contributes.configuration.properties);
  assert.deepEqual([...OF_SERVER, ...own].map((name) => `crd-ls.${name}`).sort(), offered.sort());
});

test('settings of an untrusted workspace have no effect', () => {
  const text = readFileSync(path.join(import.meta.dirname, '../package.json'), 'utf8');
  const manifest = JSON.parse(text) as {
    capabilities: { untrustedWorkspaces: { restrictedConfigurations: string[] } };
    contributes: { configuration: { properties: Record<string, { scope: string }> } };
  };
  const { properties } = manifest.contributes.configuration;
  const { restrictedConfigurations } = manifest.capabilities.untrustedWorkspaces;
  assert.deepEqual([...restrictedConfigurations].sort(), Object.keys(properties).sort());
  assert.equal(properties['crd-ls.crds']?.scope, 'machine-overridable');
});

test('the status shows the progress of the index', () => {
  assert.equal(definitionsKnown({ files: 1, isComplete: true }), 'definitions in 1 file');
  assert.equal(
    definitionsKnown({ files: 20, isComplete: false }),
    'looking for definitions, so far in 20 files',
  );
});

test('syntax errors that another extension reports are not reported again', () => {
  assert.deepEqual(
    ['auto', 'always', 'never', undefined].map((mode) => [
      reportsSyntaxErrors(mode, true),
      reportsSyntaxErrors(mode, false),
    ]),
    [
      [false, true],
      [true, true],
      [false, false],
      [false, true],
    ],
  );
});

const DEFINITION = 'apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\n';

const KINDS = new Set(['Widget.example.com']);

test('a file is ours when each of its documents is a definition or of a known kind', () => {
  for (const ours of [
    DEFINITION,
    `---\n${DEFINITION}---\n# nothing\n---\n${DEFINITION}...\n`,
    DEFINITION.replaceAll('\n', '\r\n'),
    'kind: "CustomResourceDefinition" # a\napiVersion: apiextensions.k8s.io/v1beta1\n',
    'apiVersion: example.com/v7\nkind: Widget\n',
    `apiVersion: 'example.com/v1'\nkind: Widget # one\n---\n${DEFINITION}`,
  ]) {
    assert.ok(onlyOurs(ours, KINDS), ours);
  }
  for (const others of [
    '',
    '# kind: CustomResourceDefinition\n',
    `${DEFINITION}---\nkind: Secret\n`,
    `a:\n  ${DEFINITION.replaceAll('\n', '\n  ')}`,
    'apiVersion: example.com/v1\nkind: CustomResourceDefinition\n',
    'apiVersion: example.org/v1\nkind: Widget\n',
    'apiVersion: v1\nkind: Widget\n',
  ]) {
    assert.ok(!onlyOurs(others, KINDS), others);
  }
});

test('a large file is examined within a second', () => {
  const text = `${DEFINITION}spec:\n${'  a: [b]   # c\n'.repeat(200_000)}${' '.repeat(100_000)}`;
  const began = performance.now();
  assert.ok(onlyOurs(text, KINDS));
  assert.ok(performance.now() - began < 1_000);
});

test('messages name the program, the reason and the next step', () => {
  const refused = [{ origin: 'setting', path: '/opt/x', reason: 'it is away' }] as const;
  const message = noServer({ server: undefined, refused }, 'ssh-remote');
  assert.match(
    message,
    /remote window \(ssh-remote\): crd-ls\.server\.path \(\/opt\/x\): it is away\. Install/,
  );
  const server = { origin: 'bundled', path: '/e/crd-ls', version: '0.1.0' } as const;
  assert.match(settingRefused({ server, refused }) ?? '', /\/opt\/x, which cannot run: it is away/);
  assert.equal(settingRefused({ server, refused: [] }), undefined);
});
