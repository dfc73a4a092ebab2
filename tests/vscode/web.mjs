// VS Code for the Web: the server is a worker of the browser. Settings cannot be changed there, because code-server keeps
// them on its machine.

import assert from 'node:assert/strict';
import { session } from './step.mjs';

const DEFINITION = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: widgets.example.com
spec:
  group: example.com
  scope: Namespaced
  names:
    kind: Widget
    plural: widgets
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
            properties:
              size:
                type: integr
`;

const settings = { 'files.defaultLanguage': 'yaml' };

const RESOURCE = `apiVersion: example.com/v1
kind: Widget
metadata:
  name: small
spec:
  size: large
`;

await session({ files: {}, settings, web: true }, async (code, step) => {
  const create = async (text) => {
    await code.press('Control+Alt+n');
    await code.page.waitForSelector('.editor-instance .view-lines .view-line');
    await code.paste(text);
  };
  await step('a mistake in an unsaved definition is underlined', async () => {
    await create(DEFINITION);
    await code.until('squiggles', () => code.squiggles(), ['integr']);
  });
  await step('the status names the server and the unavailable features', async () => {
    await code.until('status', () => code.languageStatus(), (text) => text.includes('Kubernetes 1.'));
    const status = await code.languageStatus();
    assert.match(status, /WebAssembly.*without git/s);
  });
  await step('its fix is in the menu of the light bulb', async () => {
    await code.goto(23, 24);
    const titles = await code.lightBulb();
    assert.ok(titles.some((title) => title.includes('integer')), titles.join(', '));
    await code.take('integer');
    await code.until('squiggles', () => code.squiggles(), []);
  });
  await step('hover explains a field', async () => {
    await code.goto(6, 5);
    assert.match(await code.hover(), /group/);
    await code.press('Escape');
  });
  await step('the definition validates an unsaved resource', async () => {
    await create(RESOURCE);
    await code.until('squiggles', () => code.squiggles(), ['large']);
  });
  await step('the lens of the definition counts the resource', async () => {
    await code.press('Control+PageUp');
    const lenses = () => code.page.locator('.codelens-decoration a, .codelens-decoration span').allInnerTexts();
    await code.until('lenses', lenses, (all) => all.includes('1 resource, 1 with findings'));
  });
  await step('a renamed property has its new name in the resource, too', async () => {
    await code.goto(22, 16);
    await code.press('F2');
    const box = code.page.locator('.rename-box input');
    await box.fill('width');
    await code.press('Enter');
    const shown = () => code.page.locator('.editor-instance .view-lines').last().innerText();
    await code.until('the definition', shown, (text) => /width:/.test(text));
    await code.press('Control+PageDown');
    await code.until('the resource', shown, (text) => /width:\s+large/.test(text));
    await code.press('Control+PageUp');
  });
  await step('a sample is previewed', async () => {
    await code.command('crd-ls: Preview Sample');
    await code.until('the sample', () => code.page.locator('.editor-instance').last().innerText(), (text) => text.includes('Widget'));
  });
});
