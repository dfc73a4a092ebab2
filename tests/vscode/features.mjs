// A rule is written, and a resource follows its definition: the features in both, and a fix by its name.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { session } from './step.mjs';

const rules = readFileSync(path.join(import.meta.dirname, '../../fixtures/editors/rules.yaml'), 'utf8');
const RULE = 'self.ports.all(p, p.port > 1023)';
const RULE_LINE = rules.split('\n').findIndex((line) => line.includes(RULE)) + 1;
const RULE_COLUMN = rules.split('\n')[RULE_LINE - 1].indexOf(RULE) + 1;

const definition = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.example.com}
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
            properties:
              size: {type: integer}
              colour: {type: string, description: As people see it.}
`;
const SIZE_LINE = definition.split('\n').findIndex((line) => line.includes('size:')) + 1;
const widget = 'apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: one}\nspec:\n  size: small\n  color: blue\n';

// All costs are shown, even small ones.
const files = { '.crd-ls.toml': '[inlayHints]\ncostFrom = 0\n', 'rules.yaml': rules, 'crd.yaml': definition, 'widget.yaml': widget };

await session({ files }, async (code, step) => {
  /** Replaces the text after the start of the rule. */
  const writeRule = async (rule) => {
    await code.goto(RULE_LINE, RULE_COLUMN);
    await code.press('Shift+End');
    await code.page.keyboard.type(rule);
  };

  await code.open('rules.yaml');
  await step('a rule has its cost beside it', async () => {
    const shown = () => code.page.locator('.editor-instance .view-line', { hasText: 'rule:' }).first().innerText();
    await code.until('the cost', shown, (text) => text.replaceAll('\u00a0', ' ').includes('cost 51 → less than 0.1 % of the limit'));
    await code.page.locator('.codelens-decoration', { hasText: 'evaluate' }).first().waitFor();
  });
  await step('hover in a rule has the type of a field', async () => {
    await code.goto(RULE_LINE, RULE_COLUMN + RULE.indexOf('port >'));
    const text = await code.hover();
    assert.match(text, /p\.port: int/);
    await code.picture('rule');
    await code.press('Escape');
  });
  await step('a mistake in a rule is underlined', async () => {
    await writeRule('self.mode == 1');
    await code.until('squiggles', () => code.squiggles(), ['self.mode == 1']);
    await code.goto(RULE_LINE, RULE_COLUMN + 'self.mode '.length);
    assert.match(await code.hover(), /cannot compare `self\.mode`/);
    await code.press('Escape');
  });
  await step('fields are proposed in a rule, and one is accepted', async () => {
    await writeRule('self.');
    const proposals = await code.proposals();
    assert.deepEqual(proposals, ['mode', 'ports', 'replicas']);
    await code.page.keyboard.type('po');
    await code.until('what is left', () => code.proposals(), ['ports']);
    await code.press('Enter');
    await code.press('Control+s');
    // The file is empty while it is being written.
    await code.until('the file', () => code.file('rules.yaml').split('\n')[RULE_LINE - 1]?.trim(), '- rule: self.ports');
  });

  await step('a resource is validated by its definition', async () => {
    await code.open('widget.yaml');
    await code.until('squiggles', () => code.squiggles(), ['small', 'color']);
  });
  await step('the language status shows the number of known definitions', async () => {
    await code.until('status', () => code.languageStatus(), (text) => text.includes('definitions in 2 files'));
  });
  await step('hover in a resource explains the field', async () => {
    await code.goto(5, 4);
    assert.match(await code.hover(), /spec\.size: integer/);
    await code.picture('resource');
    await code.press('Escape');
  });
  await step('a misspelt field of a resource is renamed', async () => {
    await code.goto(6, 4);
    const titles = await code.lightBulb();
    assert.ok(titles.includes('Rename `color` to `colour`'), titles.join('\n'));
    await code.take('Rename `color` to `colour`');
    await code.until('squiggles', () => code.squiggles(), ['small']);
  });
  await step('fields are proposed in a resource', async () => {
    await code.goto(5, 3);
    await code.press('Shift+End', 'Delete');
    await code.press('Control+Space');
    // There are no snippets that do not fit, and no words of the file.
    assert.deepEqual(await code.proposals(), ['size']);
    await code.press('Enter');
    await code.page.keyboard.type('small');
    await code.until('squiggles', () => code.squiggles(), ['small']);
  });
  await step('an edit of the definition changes the findings of the resource', async () => {
    await code.open('crd.yaml');
    await code.goto(SIZE_LINE, definition.split('\n')[SIZE_LINE - 1].indexOf('integer') + 1);
    await code.press('Control+Shift+ArrowRight');
    await code.page.keyboard.type('string');
    await code.open('widget.yaml');
    await code.until('squiggles', () => code.squiggles(), []);
    await code.open('crd.yaml');
    await code.press('Control+z');
    await code.open('widget.yaml');
    await code.until('squiggles', () => code.squiggles(), ['small']);
  });
});
