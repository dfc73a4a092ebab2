// A session from an empty file to a definition with three rules, a resource and a rename: once with crd-ls, once with only
// another YAML extension. Keys that move the cursor are not counted, because both sessions need the same ones.

import assert from 'node:assert/strict';
import { Typist } from './typist.mjs';
import { session } from './step.mjs';

const files = { 'crd.yaml': '', 'gadget.yaml': '' };
/** The texts that were written with crd-ls, before the rename. */
const written = {};
const keys = { ours: {}, theirs: {} };
/** The settings of a user who types all letters and accepts no completions. */
const BY_HAND = { 'editor.acceptSuggestionOnEnter': 'off', 'editor.tabCompletion': 'off', 'editor.quickSuggestions': { other: 'off', strings: 'off' } };

await session({ files }, async (code, step) => {
  const typist = new Typist(code);
  const counted = (name) => {
    keys.ours[name] = typist.taken();
  };

  await step('an empty file becomes a definition', async () => {
    await code.open('crd.yaml');
    await code.served();
    await typist.accept('Cust', 'CustomResourceDefinition');
    for (const name of ['Gadget', 'gadgets', 'acme', 'io']) {
      await typist.type(name);
      await typist.press('Tab');
    }
    await code.picture('../../docs/images/session/1-definition');
  });
  await step('properties come with their types', async () => {
    await typist.accept('rep', 'replicas');
    // To the end of the inserted text.
    await typist.press('Escape');
    for (const name of ['min', 'max']) {
      await typist.press('Enter', 'Backspace');
      await typist.type(`${name}:`);
      await typist.press('Enter');
      await typist.accept('ty', 'type');
      await typist.accept('in', 'integer');
    }
    await code.picture('../../docs/images/session/2-properties');
  });
  await step('three rules are proposed and completed', async () => {
    await typist.press('Enter', 'Backspace', 'Backspace');
    await typist.accept('val', 'x-kubernetes-validations');
    await typist.accept('bou', 'bounds between fields');
    // The next key comes before the server's answer.
    await typist.press('Enter');
    await typist.accept('mes', 'message');
    await typist.type('min must not exceed max');
    for (const [name, rule] of [
      ['max', 'no more than max'],
      ['min', 'no fewer than min'],
    ]) {
      await typist.press('Enter', 'Backspace');
      await typist.accept('- ru', 'rule');
      await typist.accept('self.rep', 'replicas');
      await typist.accept(` ${name === 'max' ? '<=' : '>='} self.${name}`, name);
      await typist.press('Enter');
      await typist.accept('mes', 'message');
      await typist.type(rule);
    }
    await code.picture('../../docs/images/session/3-rules');
  });
  await step('a fix makes the rules hold without the properties', async () => {
    await code.until('warnings', () => code.squiggles('warning'), (words) => words.length === 4);
    await code.goto(35, 25);
    await typist.fix('one similar mistake');
    await code.until('no warning', () => code.squiggles('warning'), []);
    await code.picture('../../docs/images/session/4-fixed');
    written['crd.yaml'] = await saved(code, 'crd.yaml', (text) => text.includes('no fewer than min'));
    counted('crd.yaml');
  });
  await step('a resource comes with the fields of its kind', async () => {
    await code.open('gadget.yaml');
    await typist.accept('Gad', 'Gadget');
    await typist.type('one');
    await typist.press('Tab');
    for (const [beginning, name, value] of [['ma', 'max', '3'], ['mi', 'min', '1'], ['re', 'replicas', '2']]) {
      await typist.accept(beginning, name);
      await typist.type(value);
      if (name !== 'replicas') {
        await typist.press('Enter');
      }
    }
    await code.until('no squiggle', () => code.squiggles(), []);
    await code.picture('../../docs/images/session/5-resource');
    written['gadget.yaml'] = await saved(code, 'gadget.yaml', (text) => text.includes('replicas: 2'));
    counted('gadget.yaml');
  });
  await step('a property is renamed in the definition, in its rules and in the resource', async () => {
    await code.open('crd.yaml');
    await code.goto(line(written['crd.yaml'], '              max:'), 16);
    await typist.press('F2');
    const field = code.page.locator('.rename-box input:focus');
    await field.waitFor();
    await typist.type('most');
    await typist.press('Enter');
    await code.command('File: Save All Files');
    await saved(code, 'crd.yaml', (text) => !text.includes('self.max'));
    await saved(code, 'gadget.yaml', (text) => text.includes('most: 3'));
    await code.picture('../../docs/images/session/6-rename');
    counted('rename');
  });
});

await session({ files, extensions: ['second-yaml.vsix'], settings: BY_HAND }, async (code, step) => {
  const typist = new Typist(code);
  for (const name of Object.keys(files)) {
    await step(`the same ${name} by hand`, async () => {
      await code.open(name);
      const text = written[name];
      await typist.copy(text.split('\n'));
      await saved(code, name, (copy) => copy.trimEnd() === text.trimEnd());
      keys.theirs[name] = typist.taken();
    });
  }
  await step('the same rename by hand', async () => {
    for (const name of Object.keys(files)) {
      await code.open(name);
      await code.goto(line(written[name], ' max:'), written[name].split('\n').find((text) => text.includes(' max:')).indexOf('max') + 2);
      await typist.press('Control+F2');
      await typist.type('most');
      await code.press('Escape', 'Escape');
      await saved(code, name, (text) => text.includes('most:'));
    }
    keys.theirs.rename = typist.taken();
  });
});

for (const [name, text] of Object.entries(written)) {
  const lines = text.trimEnd().split('\n').length;
  const [ours, theirs] = [keys.ours[name], keys.theirs[name]];
  const by = (count) => `${count} (${(count / lines).toFixed(1)} a line)`;
  console.log(`${name}, ${lines} lines: ${by(ours)} keys with crd-ls, ${by(theirs)} with the other extension`);
  assert.ok(3 * ours < theirs, name);
}
console.log(`the rename: ${keys.ours.rename} keys with crd-ls, ${keys.theirs.rename} with the other extension`);

/** Saves a file, and returns its text once it is as `wanted`. */
async function saved(code, name, wanted) {
  await code.press('Control+s');
  return code.until(`the file ${name}`, () => code.file(name), wanted);
}

/** The number of the line that contains `part`. */
function line(text, part) {
  return text.split('\n').findIndex((line) => line.includes(part)) + 1;
}
