// Messages from pages, and the text beside a rule.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hasDefinition } from '../src/definitions.ts';
import { beside, isReveal, outcome, type Result } from '../src/messages.ts';

test('of the messages of a page, only a place in the text is accepted', () => {
  assert.ok(isReveal({ type: 'reveal', place: { line: 3, character: 0 } }));
  for (const other of [
    undefined,
    null,
    'reveal',
    {},
    { type: 'reveal' },
    { type: 'reveal', place: null },
    { type: 'open', place: { line: 3, character: 0 } },
    { type: 'reveal', place: { line: -1, character: 0 } },
    { type: 'reveal', place: { line: '3', character: 0 } },
    { type: 'reveal', place: { line: 1.5, character: 0 } },
  ]) {
    assert.ok(!isReveal(other), JSON.stringify(other));
  }
});

const result = (name: string, value: string | null, error: string | null = null): Result => ({
  uri: null,
  name,
  path: '',
  value,
  error,
  parts: [
    { text: 'self.min', values: ['20'], times: 1 },
    { text: 'x', values: ['1', '2'], times: 9 },
  ],
});
const place = { start: { line: 0 }, end: { line: 0 } };

test('the text beside a rule shows its value and its inputs, a failure first', () => {
  const of = (...results: Result[]) => beside({ range: place, rule: '', results }, false);
  assert.equal(of(), undefined);
  assert.equal(of(result('one', 'true')), '⇒ true (one) · self.min = 20 · x = 1, 2, …');
  assert.match(
    of(result('one', 'true'), result('two', 'false')) ?? '',
    /^⇒ false \(two, 1 of 2 fail\) · self\.min = 20/,
  );
  assert.match(of(result('one', null, 'no such key: a')) ?? '', /^⇒ error: no such key: a \(one\)/);
  assert.match(
    beside({ range: place, rule: '', results: [result('sample', 'true')] }, true) ?? '',
    /^⇒ true \(generated sample\)/,
  );
});

test('a definition is known by its kind', () => {
  const yaml = 'apiVersion: apiextensions.k8s.io/v1\nkind: "CustomResourceDefinition"\n';
  assert.ok(hasDefinition('yaml', yaml));
  assert.ok(!hasDefinition('yaml', '# kind: CustomResourceDefinition\nkind: Widget\n'));
  assert.ok(hasDefinition('json', '{"kind": "CustomResourceDefinition"}'));
  assert.ok(!hasDefinition('json', '{"kind": "Widget"}'));
  assert.ok(hasDefinition('go', '\t// +kubebuilder:validation:Minimum=1\n'));
  assert.ok(!hasDefinition('go', '// +kubebuilder:rbac:groups=apps\n'));
  assert.ok(!hasDefinition('markdown', yaml));
});

test('the outcome of several test cases is their number, that of a single one its name and the reason of the failure', () => {
  const passes = { name: 'a size of 2', failure: null };
  const fails = { name: 'a size of 8', failure: 'it is accepted' };
  const of = (passed: number, failed: number, ...cases: object[]) => outcome({ passed, failed, cases })?.text;
  assert.equal(of(2, 0, passes, passes), '2 test cases: all pass');
  assert.equal(of(1, 1, passes, fails), '2 test cases: 1 fail');
  assert.equal(of(1, 0, passes), '"a size of 2" passes');
  assert.equal(of(0, 1, fails), '"a size of 8" fails: it is accepted');
  // An error in the suite has no name.
  assert.equal(of(0, 1, { name: null, failure: 'unknown key' }), '1 test case: 1 fail');
  for (const other of [undefined, null, 'x', {}, { passed: '1', failed: 0, cases: [] }]) {
    assert.equal(outcome(other), undefined);
  }
});
