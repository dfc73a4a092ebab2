// Runs the steps of a session and logs each, so that a failure shows the progress.

import { mkdtempSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { start } from './code.mjs';

/**
 * Runs `steps(code, step)` in a separate VS Code with `files` in its folder; `step(name, action)` runs an action.
 */
export async function session(options, steps) {
  const work = mkdtempSync(path.join(tmpdir(), 'crd-ls-vscode-'));
  mkdirSync(path.join(work, 'ws'));
  for (const [name, text] of Object.entries(options.files)) {
    mkdirSync(path.dirname(path.join(work, 'ws', name)), { recursive: true });
    writeFileSync(path.join(work, 'ws', name), text);
  }
  const began = Date.now();
  const seconds = () => `${((Date.now() - began) / 1000).toFixed(1)} s`;
  const code = await start({ work, ...options });
  console.log(`started (${seconds()})`);
  const fail = async (name, error) => {
    console.log(`FAILED: ${name} (${seconds()})\n${error.stack}`);
    const picture = path.join(work, 'failed.png');
    await code.page.screenshot({ path: picture }).catch(() => undefined);
    console.log(`the window: ${picture}\nnotifications: ${JSON.stringify(await code.notifications().catch(String))}`);
    await code.close();
    process.exit(1);
  };
  const step = async (name, action) => {
    try {
      await action();
      console.log(`ok: ${name} (${seconds()})`);
    } catch (error) {
      await fail(name, error);
    }
  };
  await steps(code, step).catch((error) => fail('between the steps', error));
  await code.close();
  rmSync(work, { recursive: true, force: true, maxRetries: 5 });
}
