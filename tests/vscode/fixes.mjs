// Each fix is applied by its name, in the extension host: the folder of `--folder` has the list of fixes and the files.

import assert from 'node:assert/strict';
import { cpSync, existsSync, readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { folder as steps } from './code.mjs';
import { session } from './step.mjs';

/** The maximum time of all fixes, in milliseconds. */
const PATIENCE = 600_000;

const entries = readdirSync(steps, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
const names = entries.map((entry) => path.relative(steps, path.join(entry.parentPath, entry.name)));
const files = Object.fromEntries(names.map((name) => [name, readFileSync(path.join(steps, name))]));

/** Settings with which the editor requests and draws only what fixes need. */
const settings = {
  'breadcrumbs.enabled': false,
  'editor.bracketPairColorization.enabled': false,
  'editor.codeLens': false,
  'editor.folding': false,
  'editor.inlayHints.enabled': 'off',
  'editor.lightbulb.enabled': 'off',
  'editor.links': false,
  'editor.occurrencesHighlight': 'off',
  'editor.semanticHighlighting.enabled': false,
  'workbench.activityBar.location': 'hidden',
  'workbench.layoutControl.enabled': false,
  'workbench.statusBar.visible': false,
};
const viewport = { width: 480, height: 270 };

await session({ files, settings, viewport, extensions: ['crd-ls.vsix', 'fix-taker.vsix'] }, async (code, step) => {
  await step('each fix is taken by its name', async () => {
    const seen = path.join(code.folder, 'seen.json');
    const end = Date.now() + PATIENCE;
    while (!existsSync(seen) && Date.now() < end) {
      await code.page.waitForTimeout(100);
    }
    assert.equal(readFileSync(seen, 'utf8'), '[]');
    cpSync(code.folder, steps, { recursive: true });
  });
});
