// A definition is opened, read and repaired by keyboard; settings are changed; the workspace is checked.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { session } from './step.mjs';

const fixtures = path.join(import.meta.dirname, '../../fixtures/editors');
const union = readFileSync(path.join(fixtures, 'union.yaml'), 'utf8');
const fixed = readFileSync(path.join(fixtures, 'union.fixed.yaml'), 'utf8');
const MUST_BE_EMPTY = 'must be empty to be structural';

// Several files define the same kind.
const RULES = '[rules]\n"resource/rival-definitions" = "off"\n';

const files = {
  '.crd-ls.toml': RULES,
  'union.yaml': union,
  'twice.yaml': fixed.replace('  scope: Namespaced\n', '  scope: Namespaced\n  scope: Cluster\n'),
  'other.yaml': 'kind: ConfigMap\nkind: Secret\n',
  'sub/closed.yaml': union,
  'old/.crd-ls.toml': `kubernetesVersion = "1.29"\n${RULES}`,
  'old/settled.yaml': fixed,
};

await session({ files }, async (code, step) => {
  await code.open('union.yaml');
  await step('squiggles are below the erroneous words', async () => {
    await code.until('squiggles', () => code.squiggles(), ['spec', 'type']);
    await code.picture('findings');
  });
  await step('Problems shows the message of kube-apiserver and the place', async () => {
    await code.command('Problems: Focus on Problems View');
    const rows = await code.until('problems', () => code.problems(), (rows) => rows.length === 2);
    assert.ok(rows.some((row) => row.includes(MUST_BE_EMPTY) && row.includes('crd-ls')), rows.join('\n'));
    await code.picture('problems');
  });
  await step('hover explains the field', async () => {
    await code.command('View: Focus Active Editor Group');
    await code.goto(23, 18);
    const text = await code.hover();
    assert.ok(text.includes('Schemas of which the value must match at least one.'), text);
    await code.picture('hover');
    await code.press('Escape');
  });
  await step('the type is moved out of the branches by keyboard', async () => {
    await code.goto(26, 20);
    const titles = await code.lightBulb();
    assert.ok(titles.some((title) => title.startsWith('Move ')), titles.join('\n'));
    await code.picture('fixes');
    await code.take('Move ');
    await code.until('squiggles after the fix', () => code.squiggles(), ['spec']);
    await code.page.locator('.action-widget').first().waitFor({ state: 'hidden' });
  });
  await step('"fix all" repairs the rest', async () => {
    // The editor updates the available kinds of actions a little after a change.
    await code.page.waitForTimeout(1_000);
    await code.command('Fix All');
    await code.until('squiggles after fix all', () => code.squiggles(), []);
    await code.press('Control+s');
    await code.until('the file', () => code.file('union.yaml') === fixed, true);
  });
  await step('a restarted server reports the same findings', async () => {
    const [before] = await code.until('one server', () => code.servers(), (ids) => ids.length === 1);
    await code.command('crd-ls: Restart Server');
    await code.until('another server', () => code.servers(), ([id, ...more]) => id !== undefined && id !== before && more.length === 0);
    await code.press('Control+z');
    await code.until('squiggles', () => code.squiggles(), ['spec']);
    await code.press('Control+Shift+z', 'Control+s');
    await code.until('squiggles', () => code.squiggles(), []);
  });
  await step('settings of .crd-ls.toml take precedence over defaults', async () => {
    await code.open('settled.yaml');
    await code.until('status', () => code.languageStatus(), (text) => text.includes('Kubernetes 1.29'));
    await code.open('union.yaml');
  });
  await step('the language status shows the selected version and changes it', async () => {
    await code.until('status', () => code.languageStatus(), (text) => text.includes('Kubernetes 1.37'));
    await code.command('crd-ls: Select Kubernetes Version');
    await code.page.locator('.quick-input-widget .monaco-list-row', { hasText: '1.30' }).waitFor();
    await code.page.keyboard.type('1.30');
    await code.press('Enter');
    await code.until('settings', () => settingsOf(code).includes('"crd-ls.kubernetesVersion": "1.30"'), true);
    await code.until('status', () => code.languageStatus(), (text) => text.includes('Kubernetes 1.30'));
  });
  await step('a changed setting takes effect at once', async () => {
    await code.open('twice.yaml');
    await code.until('squiggles', () => code.squiggles('warning'), ['scope']);
    await code.set({ 'crd-ls.yaml.syntaxErrors': 'never' });
    await code.until('squiggles', () => code.squiggles('warning'), []);
    await code.set({ 'crd-ls.yaml.syntaxErrors': 'auto' });
    await code.until('squiggles', () => code.squiggles('warning'), ['scope']);
  });
  await step('other YAML files have no findings', async () => {
    await code.open('other.yaml');
    await code.page.waitForTimeout(1_000);
    assert.deepEqual([await code.squiggles('warning'), await code.squiggles()], [[], []]);
  });
  await step('a check of the workspace includes files that are not open', async () => {
    await code.command('crd-ls: Check Workspace');
    await code.until('problems', () => code.problems(), (rows) => rows.filter((row) => row.includes(MUST_BE_EMPTY)).length === 1);
    await code.command('View: Focus Active Editor Group');
    await code.open('closed.yaml');
    await code.until('squiggles', () => code.squiggles(), (words) => words.includes('spec'));
    await code.command('Problems: Focus on Problems View');
    // Findings that were published while the file was closed are removed; the pulled ones are the same.
    await code.until('each once', () => code.problems(), (rows) => rows.filter((row) => row.includes(MUST_BE_EMPTY)).length === 1);
  });
  // The duration depends on the load of the machine; vscode-extension/test/activation.test.ts has the limit.
  await step('the time of the activation is recorded', async () => {
    await code.command('Developer: Show Running Extensions');
    // The list is sorted by that time, and contains only visible rows.
    const list = code.page.locator('.runtime-extensions-editor .monaco-list').first();
    const row = list.locator('.monaco-list-row', { hasText: 'crd-ls' }).first();
    const rows = async () => {
      if ((await row.count()) === 0) {
        await list.hover();
        await code.page.mouse.wheel(0, 210);
      }
      return row.count();
    };
    await code.until('the row of crd-ls', rows, (count) => count > 0);
    const activation = /Activation: \d+ms/.exec(await row.innerText())?.[0];
    assert.ok(activation !== undefined, await row.innerText());
    console.log(activation);
  });
});

function settingsOf(code) {
  try {
    return code.file('.vscode/settings.json');
  } catch {
    // The file is not written yet.
    return '';
  }
}
