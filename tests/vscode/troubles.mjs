// Failures are reported with a next step, and are never silent: a server that is killed, one that ends again and again,
// no server at all, one for another platform, a workspace that is not trusted.

import assert from 'node:assert/strict';
import { chmodSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { session } from './step.mjs';

const union = readFileSync(path.join(import.meta.dirname, '../../fixtures/editors/union.yaml'), 'utf8');
const FOUND = ['spec', 'type'];
const files = { 'union.yaml': union };

await session({ files }, async (code, step) => {
  const notified = (text) => code.until(`a notification with "${text}"`, () => code.notifications(), (seen) => seen.some((message) => message.includes(text)));
  const bundled = path.join(code.installed, 'crd-ls.crd-ls-0.1.0/server/crd-ls');
  const one = (what, other) => code.until(what, () => code.servers(), (ids) => ids.length === 1 && ids[0] !== other);

  await code.open('union.yaml');
  await step('a killed server is started again without a notification', async () => {
    await code.until('squiggles', () => code.squiggles(), FOUND);
    const [before] = await one('a server');
    process.kill(before, 'SIGKILL');
    await one('another server', before);
    await code.goto(19, 11);
    await code.page.keyboard.type(' ');
    await code.press('Backspace');
    await code.until('squiggles', () => code.squiggles(), FOUND);
    assert.deepEqual(await code.notifications(), []);
  });
  await step('a server that ends several times is reported once', async () => {
    writeFileSync(`${bundled}.ends`, '#!/bin/sh\n[ "$1" = --version ] && echo "crd-ls 0.0.0" || exit 3\n');
    chmodSync(`${bundled}.ends`, 0o755);
    await code.set({ 'crd-ls.server.path': `${bundled}.ends` });
    await notified('several times within three minutes');
    assert.equal((await code.notifications()).length, 1);
    assert.deepEqual(await code.squiggles(), [], 'findings of a server that is gone');
    assert.match(await code.languageStatus(), /crd-ls is not running/);
    await code.command('Notifications: Clear All Notifications');
  });
  await step('a missing program is reported, and the bundled one runs', async () => {
    await code.set({ 'crd-ls.server.path': '/nowhere/crd-ls' });
    await notified('/nowhere/crd-ls, which cannot run: the program does not exist');
    await code.until('squiggles', () => code.squiggles(), FOUND);
    await code.command('Notifications: Clear All Notifications');
  });
  await step('a program for another platform is reported as such', async () => {
    renameSync(bundled, `${bundled}.away`);
    writeFileSync(bundled, Buffer.from('4d5a90000300000004000000ffff0000', 'hex'));
    chmodSync(bundled, 0o755);
    await code.set({ 'crd-ls.server.path': '' });
    await notified('built for a platform other than this one');
    await code.command('Notifications: Clear All Notifications');
  });
  await step('without any program, a message names the next step', async () => {
    renameSync(bundled, `${bundled}.other`);
    await code.command('crd-ls: Restart Server');
    await notified('crd-ls cannot be started');
    const buttons = await code.page.locator('.notification-list-item-buttons-container .monaco-button').allInnerTexts();
    assert.deepEqual(buttons.map((button) => button.trim()), ['Open Settings', 'Show Output']);
    await code.picture('no-server');
    await code.command('Notifications: Clear All Notifications');
  });
  await step('a restart suffices after the program is installed again', async () => {
    renameSync(`${bundled}.away`, bundled);
    await code.command('crd-ls: Restart Server');
    await code.until('squiggles', () => code.squiggles(), FOUND);
  });
});

const chosen = JSON.stringify({ 'crd-ls.server.path': '/bin/false', 'crd-ls.rules': { structural: 'off' }, 'crd-ls.crds': ['/'] });
const repository = { ...files, '.vscode/settings.json': chosen, '.crd-ls.toml': 'ignore = ["structural"]\n' };
await session({ files: repository, restricted: true }, async (code, step) => {
  await step('settings of an untrusted workspace have no effect', async () => {
    await code.open('union.yaml');
    await code.until('squiggles', () => code.squiggles(), FOUND);
    const status = await code.until('status', () => code.languageStatus(), (text) => text.includes('Kubernetes 1.37'));
    assert.match(status, /Restricted Mode: settings of the workspace are ignored/);
    assert.deepEqual(await code.notifications(), []);
  });
});
