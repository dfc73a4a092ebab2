// A window of VS Code for the Web: extensions run in a worker of the browser, without a remote machine.

import { readFile } from 'node:fs/promises';
import path from 'node:path';

/** The URL path of the extension for the page. */
const PLACE = '/extension-of-the-test';

/** code-server always connects its window to a remote machine, regardless of the configuration. */
const MACHINE = 'remoteAuthority:location.host';

const CONFIGURATION = /(<meta id="vscode-workbench-web-configuration" data-settings=")([^"]*)(">)/;

const TYPES = { '.js': 'text/javascript', '.json': 'application/json', '.gz': 'application/octet-stream' };

/** Makes a page of code-server such a window, with the extension of the folder `extension`, and with `settings`. */
export async function withoutRemote(page, extension, settings) {
  const context = page.context();
  await context.route(({ pathname }) => pathname === '/', async (route) => {
    const response = await route.fetch();
    const html = await response.text();
    const { host, protocol } = new URL(route.request().url());
    const body = html.replace(CONFIGURATION, (_, before, escaped, after) => {
      const changed = {
        ...JSON.parse(unescaped(escaped)),
        additionalBuiltinExtensions: [{ scheme: protocol.slice(0, -1), authority: host, path: PLACE }],
        configurationDefaults: settings,
      };
      return before + JSON.stringify(changed).replaceAll('&', '&amp;').replaceAll('"', '&quot;') + after;
    });
    await route.fulfill({ response, body });
  });
  await context.route(({ pathname }) => pathname.endsWith('/browser/workbench/workbench.js'), async (route) => {
    const response = await route.fetch();
    const script = await response.text();
    if (!script.includes(MACHINE)) {
      throw new Error(`the script of code-server has no "${MACHINE}"`);
    }
    await route.fulfill({ response, body: script.replace(MACHINE, 'remoteAuthority:void 0') });
  });
  await context.route(({ pathname }) => pathname.startsWith(`${PLACE}/`), async (route) => {
    const name = decodeURIComponent(new URL(route.request().url()).pathname.slice(PLACE.length + 1));
    try {
      const body = await readFile(path.join(extension, name));
      await route.fulfill({ body, contentType: TYPES[path.extname(name)] ?? 'text/plain' });
    } catch {
      await route.fulfill({ status: 404, body: 'no such file' });
    }
  });
}

function unescaped(text) {
  return text.replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
}
