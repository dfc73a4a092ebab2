// Runs yaml-language-server (SECOND_YAML_SERVER has its path) and lets other extensions provide schemas, with the
// protocol extension `custom/schema/request` and `custom/schema/content`, as redhat.vscode-yaml does.

import { LanguageClient } from 'vscode-languageclient/node';

const contributors = new Map();
let client;

export async function activate() {
  const server = { command: process.execPath, args: [process.env.SECOND_YAML_SERVER, '--stdio'] };
  client = new LanguageClient('yaml', 'YAML', server, {
    documentSelector: [{ language: 'yaml' }],
    synchronize: { configurationSection: ['yaml', 'http.proxy', 'http.proxyStrictSSL'] },
  });
  await client.start();
  client.onRequest('custom/schema/request', (resource) =>
    [...contributors.values()].map((contributor) => contributor.requestSchema(resource)).filter(Boolean),
  );
  client.onRequest('custom/schema/content', (uri) => {
    const scheme = uri.slice(0, uri.indexOf(':'));
    return contributors.get(scheme)?.requestSchemaContent(uri);
  });
  await client.sendNotification('yaml/registerCustomSchemaRequest');
  return {
    registerContributor(scheme, requestSchema, requestSchemaContent, label) {
      if (label !== undefined) {
        throw new Error('with a label, files that have it in their text are kept from other contributors');
      }
      contributors.set(scheme, { requestSchema, requestSchemaContent });
      return true;
    },
  };
}

export function deactivate() {
  return client?.stop();
}
