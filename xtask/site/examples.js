// Adds a link to the playground below each example. The site's build writes the texts of an example into a comment above
// it, and the playground's module packs them into the part of the address after #, which browsers do not send to servers.

import { packed } from "./share.js";

const MARK = "playground ";

/** The comments of the page that the build wrote. */
function* marks() {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_COMMENT);
  while (walker.nextNode()) {
    const text = walker.currentNode.data.trim();
    if (text.startsWith(MARK)) yield [walker.currentNode, JSON.parse(text.slice(MARK.length))];
  }
}

for (const [comment, { verdict, texts }] of [...marks()]) {
  let block = comment.nextSibling;
  while (block && block.nodeType !== Node.ELEMENT_NODE) block = block.nextSibling;
  if (!block?.matches(".highlight")) continue;
  if (verdict) block.classList.add(`example-${verdict}`);
  const link = document.createElement("a");
  link.textContent = "Open in the playground";
  const address = new URL("../playground/index.html", import.meta.url);
  address.hash = await packed(texts);
  link.href = address.href;
  const line = document.createElement("p");
  line.className = "playground";
  line.append(link);
  block.after(line);
}
