// Code lenses above a definition, and previews that follow the text.

import assert from 'node:assert/strict';
import { session } from './step.mjs';

const definition = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: widgets.example.com
spec:
  group: example.com
  scope: Namespaced
  names: {plural: widgets, kind: Widget}
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            x-kubernetes-validations:
            - rule: self.size < 9
            properties:
              size: {type: integer, default: 1}
              site:
                type: string
                description: https://example.com/a/path/that/is/longer/than/a/view/beside/an/editor/has/room/for
`;
const SIZE = '{type: integer, default: 1';
const SIZE_LINE = definition.split('\n').findIndex((line) => line.includes(SIZE)) + 1;
const SIZE_END = definition.split('\n')[SIZE_LINE - 1].indexOf(SIZE) + SIZE.length + 1;
const widget = (name, size) =>
  `apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: ${name}}\nspec: {size: ${size}}\n`;
const files = { 'crd.yaml': definition, 'good.yaml': widget('good', 2), 'bad.yaml': widget('bad', 'many') };

await session({ files }, async (code, step) => {
  const lenses = () => code.page.locator('.codelens-decoration a, .codelens-decoration span').allInnerTexts();
  const shown = () => code.page.locator('.editor-instance').last().locator('.view-lines').innerText();
  const text = async () => (await shown()).replaceAll('\u00a0', ' ');
  await step('a definition shows the number of its resources', async () => {
    await code.open('crd.yaml');
    await code.until('lenses', lenses, (all) => all.includes('2 resources, 1 with findings'));
  });
  await step('rules are evaluated beside the text', async () => {
    await code.page.locator('.codelens-decoration a', { hasText: 'evaluate rules' }).click();
    const beside = () =>
      code.page.evaluate(() =>
        [...document.querySelectorAll('.view-line span')]
          .map((span) => getComputedStyle(span, '::after').content)
          .filter((content) => content.includes('⇒')),
      );
    const [shown] = await code.until('values', beside, (all) => all.length === 1);
    // Failures come first.
    assert.ok(shown.includes('(bad, 1 of 2 fail)'), shown);
    await code.command('crd-ls: Show Values of Rules beside the Text');
    await code.until('nothing beside the rule', beside, (all) => all.length === 0);
  });
  await step('the findings that an edit causes in a file that is not open are shown and removed', async () => {
    const broken = (rows) => rows.some((row) => row.includes('spec.size in body should be less than or equal to 1'));
    await code.open('crd.yaml');
    await code.goto(SIZE_LINE, SIZE_END);
    await code.page.keyboard.type(', maximum: 1');
    await code.command('Problems: Focus on Problems View');
    await code.until('the finding', () => code.problems(), broken);
    await code.command('View: Focus Active Editor Group');
    // Each word is undone separately.
    const undone = async () => {
      await code.press('Control+z');
      return text();
    };
    await code.until('the text as it was', undone, (text) => !text.includes('maximum'));
    await code.press('Control+s');
    await code.command('Problems: Focus on Problems View');
    await code.until('no finding', () => code.problems(), (rows) => !broken(rows));
  });
  await step('the page with the fields of a definition links to the text', async () => {
    await code.open('crd.yaml');
    await code.command('crd-ls: Show Fields');
    const page = code.page.frameLocator('iframe.webview').last().frameLocator('iframe').last();
    const fits = (table) => table.scrollWidth <= table.parentElement.clientWidth;
    assert.ok(await page.locator('table').evaluate(fits), 'the table is wider than the view');
    await page.locator('tr', { hasText: 'size' }).last().click();
    await code.until('the cursor', () => code.page.locator('.editor-status-selection, [id="status.editor.selection"]').innerText(), (text) => text.includes(`Ln ${SIZE_LINE}`));
    await code.command('View: Close All Editors');
  });
  await step('the preview of the stored object follows the text', async () => {
    await code.command('View: Close All Editors');
    await code.open('good.yaml');
    await code.command('crd-ls: Preview Stored Resource');
    await code.until('the stored object', text, (text) => text.includes('size: 2'));
    await code.command('View: Focus First Editor Group');
    await code.goto(4, 15);
    await code.press('Backspace', '7');
    await code.until('the new object', text, (text) => text.includes('size: 7'));
  });
});
