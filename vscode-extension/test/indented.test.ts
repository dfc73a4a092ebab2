// The indentation of a block that is pasted at another column.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { indented, relative } from '../src/indented.ts';

const at = (column: number) => ' '.repeat(column);

test('a block that is copied by its lines follows the column of the cursor', () => {
  assert.equal(indented('    color:\n      type: string\n', at(14)), 'color:\n' + at(16) + 'type: string\n');
  assert.equal(indented('color:\n  type: string\n', at(4)), 'color:\n      type: string\n');
  assert.equal(indented('- name: a\n  port: 1', at(8)), '- name: a\n' + at(10) + 'port: 1');
});

test('a block that is copied from within its first line keeps its shape', () => {
  const copied = 'color:\n' + at(16) + 'type: string\n' + at(16) + 'enum:\n' + at(16) + '- a';
  assert.equal(indented(copied, at(4)), 'color:\n      type: string\n      enum:\n      - a');
  const siblings = 'type: string\n' + at(16) + 'enum:\n' + at(16) + '- a';
  assert.equal(indented(siblings, at(4)), 'type: string\n    enum:\n    - a');
  const items = '- name: a\n' + at(10) + 'port: 1\n' + at(8) + '- name: b';
  assert.equal(indented(items, at(4)), '- name: a\n      port: 1\n    - name: b');
});

test('a block in the right column and a text without a block are pasted unchanged', () => {
  assert.equal(indented('color:\n  type: string\n', ''), undefined);
  assert.equal(indented('one line', at(4)), undefined);
  assert.equal(indented('some prose\nand more', at(4)), undefined);
  assert.equal(indented('color:\n\ttype: string\n', at(4)), undefined);
  assert.equal(indented('color:\n  type: string\n', 'description: '), undefined);
});

test('behind a dash, further lines are aligned with the first key', () => {
  assert.equal(indented('name: a\nport: 1\n', '  - '), 'name: a\n    port: 1\n');
});

test('blank lines and comments stay', () => {
  assert.equal(indented('a:\n\n  # of b\n  b: 1\n', at(2)), 'a:\n\n    # of b\n    b: 1\n');
});

test('the indentation that VS Code adds is subtracted from the lines', () => {
  assert.equal(relative('a:\n    b: 1\n', '  '), 'a:\n  b: 1\n');
  assert.equal(relative('a: 1\n    b: 1', '  - '), 'a: 1\n  b: 1');
  assert.equal(relative('a:\nb: 1', '  '), undefined);
});
