// An API in Go, with VS Code's own grammar of Go and without an extension for the language. The folder of `--folder` holds the
// module.

import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { folder as module } from './code.mjs';
import { session } from './step.mjs';
import { Typist } from './typist.mjs';

const TYPES = 'widget_types.go';
const SAMPLE = 'widget.yaml';
const DEFINITION = 'widgets.example.com_widgets.yaml';

const entries = readdirSync(module, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
const names = entries.map((entry) => path.relative(module, path.join(entry.parentPath, entry.name)));
const files = Object.fromEntries(names.map((name) => [name, readFileSync(path.join(module, name), 'utf8')]));

await session({ files }, async (code, step) => {
  const typist = new Typist(code);
  /** The lines of the types, including those that were typed. */
  const lines = files[`api/v1/${TYPES}`].split('\n');
  const numberOf = (part) => lines.findIndex((line) => line.includes(part)) + 1;
  /** Types a line below the one that holds `part`. */
  const below = async (part, type) => {
    await code.goto(numberOf(part), 1);
    await code.press('End', 'Enter');
    await type();
    lines.splice(numberOf(part), 0, '');
  };

  await step('the markers of a Go file have colours', async () => {
    await code.open(TYPES);
    await code.served();
    const colours = new Map(await code.colours('Maximum=100'));
    const [name] = [...colours.keys()].filter((word) => word.includes('validation'));
    assert.notEqual(colours.get(name), new Map(await code.colours('Size in millimetres')).values().next().value);
    await code.until('no squiggle', () => code.squiggles('error'), []);
  });
  await step('a typo in a marker has a squiggle and a fix', async () => {
    await below('Maximum=100', () => typist.type('// +kubebuilder:validation:Minimun=1'));
    await code.until('the squiggle', () => code.squiggles('warning'), ['kubebuilder:validation:Minimun']);
    await code.picture('../../docs/images/session/go-1-marker');
    await typist.fix('to `kubebuilder:validation:Minimum`');
    await code.until('no squiggle', () => code.squiggles('warning'), []);
  });
  await step('a rule in a marker is completed and checked', async () => {
    await below('message="too small"', async () => {
      await typist.type('// +kubebuilder:validation:XValidation:rule="self.');
      await code.until('the fields', () => code.proposals(), ['least', 'other', 'size']);
      await code.picture('../../docs/images/session/go-2-rule');
      await typist.accept('si', 'size');
      await typist.type(' > self.leas",message="too small"');
    });
    await code.until('the squiggle', () => code.squiggles('error'), ['leas']);
  });
  await step('the finding is explained and repaired', async () => {
    await code.command('crd-ls: Explain Finding');
    await page().locator('h1', { hasText: 'cel' }).first().waitFor();
    await code.page.locator('.tab.active', { hasText: 'Preview' }).waitFor();
    await code.command('View: Focus First Editor Group');
    await code.command('View: Close Editors in Other Groups');
    const rule = '// +kubebuilder:validation:XValidation:rule="self.size > self.';
    await code.goto(numberOf('too small') + 1, rule.length + 2);
    await typist.fix('to `least`');
    await code.until('no squiggle', () => code.squiggles('error'), []);
  });
  await step('the generated definition and its fields are shown', async () => {
    await code.command('crd-ls: Preview Generated Definition');
    await code.page.locator('.tab', { hasText: 'generated.yaml' }).waitFor();
    await code.page.locator('.view-line', { hasText: 'CustomResourceDefinition' }).first().waitFor();
    await code.picture('../../docs/images/session/go-3-generated');
    await code.command('View: Focus First Editor Group');
    await code.command('crd-ls: Show Fields');
    await page().locator('tr', { hasText: 'least' }).last().click();
    await code.cursorAt(numberOf('Least int32'), 24);
  });
  await step('an unsaved change of a type causes a finding in a sample', async () => {
    await code.command('View: Close Editors in Other Groups');
    await code.open(SAMPLE);
    await code.served();
    assert.deepEqual(await code.squiggles('error'), []);
    await code.open(TYPES);
    await code.goto(numberOf('Maximum=100'), 1);
    await typist.press('End', 'Backspace', 'Backspace');
    await code.open(SAMPLE);
    await code.until('the squiggle', () => code.squiggles('error'), ['5']);
    await code.picture('../../docs/images/session/go-4-sample');
    await code.open(TYPES);
    await typist.type('00');
    await code.open(SAMPLE);
    await code.until('no squiggle', () => code.squiggles('error'), []);
    assert.equal(code.file(`api/v1/${TYPES}`), files[`api/v1/${TYPES}`]);
  });
  await step('a JSON name is renamed in its tag, in rules and in the sample', async () => {
    await code.open(TYPES);
    const line = lines.find((line) => line.includes('json:"least"'));
    // A tab has four columns.
    await code.goto(numberOf('json:"least"'), line.indexOf('least"') + 5);
    await code.press('F2');
    await code.page.locator('.rename-box input:focus').waitFor();
    await typist.type('smallest');
    await typist.press('Enter');
    await code.command('File: Save All Files');
    const types = await code.until('the types', () => code.file(`api/v1/${TYPES}`), (text) => text.includes('json:"smallest"'));
    assert.equal(types.match(/self\.smallest/g).length, 2);
    assert.ok(!types.includes('self.least'), types);
    await code.until('the sample', () => code.file(`samples/${SAMPLE}`), (text) => text.includes('  smallest: 2'));
  });
  await step('the outdated generated definition is generated again', async () => {
    const definition = () => code.file(`config/crd/${DEFINITION}`);
    const numberIn = (part) => definition().split('\n').findIndex((line) => line.includes(part)) + 1;
    await code.open(DEFINITION);
    await code.served();
    await code.until('the squiggle', () => code.squiggles('warning'), ['controller-gen.kubebuilder.io/version']);
    await code.goto(numberIn('kubebuilder.io/version'), 6);
    await typist.fix('Generate the definition again');
    await code.until('no squiggle', () => code.squiggles('warning'), []);
    await code.command('File: Save All Files');
    await code.until('the definition', definition, (text) => text.includes('self.smallest <= self.size'));
    await code.goto(numberIn('smallest:'), 19);
    await code.press('F12');
    const types = code.file(`api/v1/${TYPES}`).split('\n');
    await code.cursorAt(types.findIndex((line) => line.includes('json:"smallest"')) + 1, 24);
  });

  /** The page that is shown beside the text. */
  function page() {
    return code.page.frameLocator('iframe.webview').last().frameLocator('iframe').last();
  }
});
