// Compiled but never run: uses the package with its types.

import { type Report, load } from "../package/index.js";
import { Server } from "../package/client.js";

export async function codes(text: string): Promise<string[]> {
  const engine = await load();
  const report: Report = engine.check({ files: [{ text }], kubernetesVersion: "1.33" });
  const [changed] = engine.fix({ files: [{ path: "a.yaml", text }] });
  engine.diff({ old: { text }, new: { text: changed.text } }).map(({ class: how }) => how.toUpperCase());
  const definition = { text };
  engine.eval({ definition, resource: { text }, expression: "self" })[0].evaluated?.rules[0].parts;
  engine.sample({ definition })[0].unmet?.length;
  engine.cost({ definition })[0].versions[0].rules[0].perCall.toFixed();
  engine.lsp([{ jsonrpc: "2.0", id: 1, method: "initialize", params: { capabilities: {} } }]);
  return report.files.flatMap(({ diagnostics }) => diagnostics.map(({ code }) => code));
}

export function served(worker: () => Worker): Promise<unknown> {
  const server = new Server(worker, { onRestart: (reason) => reason.length });
  server.transport.subscribe((message) => message.length);
  return server.call("check", { files: [] });
}
