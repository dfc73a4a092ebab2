// The texts in the address: compressed into the fragment, which browsers do not send to servers.

/** The start of the fragment; another format gets another number. */
const FORM = "#1.";
/** The maximum size of decompressed texts, so that they cannot fill the memory. */
const MOST_BYTES = 8 << 20;

async function through(bytes, stream) {
  const reader = new Blob([bytes]).stream().pipeThrough(stream).getReader();
  const parts = [];
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    length += value.length;
    if (length > MOST_BYTES) throw new Error("the link holds too much text");
    parts.push(value);
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}

/** The fragment that contains `texts`. */
export async function packed(texts) {
  const bytes = new TextEncoder().encode(JSON.stringify(texts));
  const small = await through(bytes, new CompressionStream("deflate-raw"));
  let binary = "";
  for (const byte of small) binary += String.fromCharCode(byte);
  return FORM + btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

/** The texts in a fragment; undefined if it contains none. */
export async function unpacked(fragment) {
  if (!fragment.startsWith(FORM)) return undefined;
  const binary = atob(fragment.slice(FORM.length).replaceAll("-", "+").replaceAll("_", "/"));
  const bytes = Uint8Array.from(binary, (character) => character.charCodeAt(0));
  const texts = JSON.parse(new TextDecoder().decode(await through(bytes, new DecompressionStream("deflate-raw"))));
  const { definition = "", resource = "", old = "", kubernetes, settings } = texts;
  for (const text of [definition, resource, old]) {
    if (typeof text !== "string") throw new Error("the link holds no texts");
  }
  const isObject = typeof settings === "object" && settings !== null && !Array.isArray(settings);
  return {
    definition,
    resource,
    old,
    kubernetes: typeof kubernetes === "string" ? kubernetes : undefined,
    settings: isObject ? settings : undefined,
  };
}

/** Markdown for an issue: the checked texts and the findings. */
export function asIssue({ definition, resource, kubernetes, settings, version, findings }) {
  const fenced = (text) => {
    const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length));
    const fence = "`".repeat(longest + 1);
    return `${fence}yaml\n${text.trimEnd()}\n${fence}\n`;
  };
  const parts = [`crd-ls ${version}, Kubernetes ${kubernetes}\n`];
  if (settings !== undefined) parts.push(`Settings: \`${JSON.stringify(settings)}\`\n`);
  if (definition.trim() !== "") parts.push(`Definition:\n\n${fenced(definition)}`);
  if (resource.trim() !== "") parts.push(`Resource:\n\n${fenced(resource)}`);
  const lines = findings.map(({ name, line, severity, code, message }) => {
    return `- ${name}:${line}: ${severity} ${code}: ${message.replaceAll("\n", " ")}`;
  });
  parts.push(`Found:\n\n${lines.length > 0 ? lines.join("\n") : "nothing"}\n`);
  parts.push("Expected:\n\n");
  return parts.join("\n");
}
