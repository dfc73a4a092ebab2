// A change that breaks objects is reported while it is typed, explained, and reverted. The folder of `--folder` is a
// repository with a branch `main`.

import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { folder as repository } from './code.mjs';
import { session } from './step.mjs';

const entries = readdirSync(repository, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
const names = entries.map((entry) => path.relative(repository, path.join(entry.parentPath, entry.name)));
const files = Object.fromEntries(names.map((name) => [name, readFileSync(path.join(repository, name))]));
const before = files['crd.yaml'].toString();
const line = before.split('\n').findIndex((line) => line.includes('maximum: 9')) + 1;

await session({ files }, async (code, step) => {
  await step('a breaking change is reported at the line where it is typed', async () => {
    await code.open('crd.yaml');
    await code.goto(line, before.split('\n')[line - 1].length + 1);
    await code.press('Backspace', '5');
    await code.until('the warning', () => code.squiggles('warning'), (words) => words.length === 1);
    await code.command('View: Toggle Problems');
    const problems = await code.until('the problem', () => code.problems(), (all) => all.length === 1);
    assert.match(problems[0], /`maximum` changed from 9 to 5/);
    assert.ok(problems[0].includes(`line ${line}`), problems[0]);
    await code.command('View: Toggle Problems');
  });
  await step('the hover names the affected parties', async () => {
    await code.command('View: Focus First Editor Group');
    const text = await code.hover();
    assert.match(text, /Stored objects/);
    assert.match(text, /Clients that write/);
    await code.press('Escape');
  });
  await step('its fix reverts the change', async () => {
    const titles = await code.lightBulb();
    assert.ok(titles.some((title) => title.includes('Restore `maximum`') || title.includes('Restore maximum')), titles.join(', '));
    await code.take('Restore');
    await code.until('no warning', () => code.squiggles('warning'), []);
    await code.press('Control+s');
    await code.until('the text on the disk', () => code.file('crd.yaml'), before);
  });
});
