// What is shown above a definition, and previews that follow the text.

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
              size: {type: integer, default: 3}
`;
const widget = (name, size) =>
  `apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: ${name}}\nspec: {size: ${size}}\n`;
const files = { 'crd.yaml': definition, 'good.yaml': widget('good', 2), 'bad.yaml': widget('bad', 'many') };

await session({ files }, async (code, step) => {
  const lenses = () => code.page.locator('.codelens-decoration a, .codelens-decoration span').allInnerTexts();
  const shown = () => code.page.locator('.editor-instance').last().locator('.view-lines').innerText();
  const text = async () => (await shown()).replaceAll('\u00a0', ' ');
  await step('a definition says how many resources it has', async () => {
    await code.open('crd.yaml');
    await code.until('lenses', lenses, (all) => all.includes('2 resources, 1 with findings'));
  });
  await step('a rule is evaluated on the resources', async () => {
    await code.page.locator('.codelens-decoration a', { hasText: 'evaluate against samples' }).click();
    const evaluated = await code.until('values', text, (text) => text.includes('self.size < 9  =>  true'));
    assert.ok(evaluated.includes('Widget good'), evaluated);
  });
  await step('what the server stores follows the text', async () => {
    await code.command('View: Close All Editors');
    await code.open('good.yaml');
    await code.command('crd-ls: Preview What the Server Stores');
    await code.until('the stored object', text, (text) => text.includes('size: 2'));
    await code.command('View: Focus First Editor Group');
    await code.goto(4, 15);
    await code.press('Backspace', '7');
    await code.until('the new object', text, (text) => text.includes('size: 7'));
  });
});
