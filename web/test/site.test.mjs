// The script of the documentation site in a real browser: an example gets a link whose fragment contains its texts in the
// format of the playground. `CHROME_PATH` names the browser.

import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import { chromium } from "playwright-core";

import { unpacked } from "../playground/src/share.js";
import { repository } from "./support.mjs";

const executablePath = [process.env.CHROME_PATH, "/usr/bin/chromium", "/usr/bin/google-chrome"].find((path) => path && existsSync(path));
const skip = executablePath === undefined && "no browser: set CHROME_PATH";
if (skip) console.log(`skipped: the site's script, ${skip}`);

const texts = { definition: "a: <!-\u002d ü 😀 -\u002d>\n", resource: "b: 1\n", old: "" };
const json = JSON.stringify({ verdict: "wrong", texts }).replaceAll("--", "-\\u002d");
const FILES = {
  "/guide/page.html": `<!doctype html><body><!-- playground ${json} -->
<div class="highlight"><pre><code>a: 1</code></pre></div>
<!-- of somebody else --><div class="highlight"></div>
<script type="module" src="../assets/examples.js"></script>`,
  "/assets/examples.js": readFileSync(join(repository, "xtask/site/examples.js"), "utf8"),
  "/assets/share.js": readFileSync(join(repository, "web/playground/src/share.js"), "utf8"),
};

test("an example opens in the playground", { skip }, async () => {
  const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
  try {
    const page = await browser.newPage();
    await page.route("**/*", (route) => {
      const path = new URL(route.request().url()).pathname;
      const contentType = path.endsWith(".js") ? "text/javascript" : "text/html; charset=utf-8";
      return FILES[path] ? route.fulfill({ contentType, body: FILES[path] }) : route.fulfill({ status: 404 });
    });
    await page.goto("http://localhost/guide/page.html");
    const links = page.getByRole("link", { name: "Open in the playground" });
    await links.first().waitFor();
    assert.equal(await links.count(), 1);
    const { href, hash } = await links.evaluate(({ href, hash }) => ({ href, hash }));
    assert.ok(href.startsWith("http://localhost/playground/index.html#"), href);
    assert.deepEqual(await unpacked(hash), { settings: undefined, ...texts, kubernetes: undefined });
    assert.equal(await page.locator(".example-wrong").count(), 1);
  } finally {
    await browser.close();
  }
});
