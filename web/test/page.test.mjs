// The playground in a real browser, from a file server below a path: a mistake is typed, reported, fixed, shared, and
// present again after a reload, even without the server. `CHROME_PATH` names the browser; the pictures are in
// web/pictures.

import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { extname, join } from "node:path";
import { after, before, test } from "node:test";

import { chromium } from "playwright-core";

import { packed } from "../playground/src/share.js";
import { lacks, repository } from "./support.mjs";

const dist = join(repository, "web/playground/dist");
const executablePath = [process.env.CHROME_PATH, "/usr/bin/chromium", "/usr/bin/google-chrome"].find((path) => path && existsSync(path));
const skip =
  lacks() ||
  (!existsSync(join(dist, "index.html")) && "no page: run `cargo xtask web`") ||
  (executablePath === undefined && "no browser: set CHROME_PATH");
if (skip) console.log(`skipped: the playground, ${skip}`);

/** The maximum times for a first finding and for a key in 5,000 lines, in milliseconds, and a factor for other load. */
const SLACK = 4;
const FIRST_FINDING = 1500;
const KEYSTROKE = 100;

const TYPES = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".gz": "application/octet-stream" };
const BASE = "/some/where/";

let server;
let browser;
let address;

before(async () => {
  if (skip) return;
  server = createServer(({ url }, response) => {
    const path = new URL(url, "http://localhost").pathname;
    const name = path === BASE ? "index.html" : path.slice(BASE.length);
    const file = join(dist, name);
    if (!path.startsWith(BASE) || name.includes("..") || !existsSync(file)) return response.writeHead(404).end();
    response.writeHead(200, { "content-type": TYPES[extname(file)] ?? "text/plain" }).end(readFileSync(file));
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  address = `http://localhost:${server.address().port}${BASE}`;
  browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
});

after(async () => {
  await browser?.close();
  server?.close();
});

async function pageAt(where = address, options = {}) {
  const context = await browser.newContext({ permissions: ["clipboard-read", "clipboard-write"], ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  page.problems = [];
  page.on("pageerror", (error) => page.problems.push(error.message));
  page.on("console", (message) => message.type() === "error" && page.problems.push(message.text()));
  await page.goto(where);
  return page;
}

async function picture(page, name) {
  const folder = join(repository, "web/pictures");
  mkdirSync(folder, { recursive: true });
  await page.screenshot({ path: join(folder, `${name}.png`) });
}

const finding = (page, code) => page.locator("#panel li", { hasText: code });

/** Puts the cursor after a text in an editor. */
async function behind(page, editor, text) {
  await page.locator(`#${editor} .cm-line`, { hasText: text }).first().click();
  await page.keyboard.press("End");
}

async function violations(page) {
  await page.evaluate(readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8"));
  const { violations: found } = await page.evaluate(() => window.axe.run());
  return found.map(({ id, nodes }) => `${id}: ${nodes.map(({ html, failureSummary }) => `${html} ${failureSummary}`).join("; ")}`);
}

test("a typed mistake is reported, repaired and restored from a shared link", { skip }, async () => {
  const page = await pageAt();
  await finding(page, "structural/type-required").first().waitFor();
  await picture(page, "first");

  await page.locator("#example").selectOption("A change that breaks resources");
  await finding(page, "resource/unknown-field").waitFor();
  await behind(page, "definition", "maxLength: 10");
  await page.keyboard.press("Enter");
  await page.keyboard.type("patern: a");
  await finding(page, "patern").first().waitFor();
  await finding(page, "patern").getByRole("button", { name: /^Fix/ }).first().click();
  await picture(page, "fixes");
  await page.locator("#offers button").first().click();
  await page.locator("#definition .cm-line", { hasText: "pattern: a" }).waitFor();
  await finding(page, "patern").first().waitFor({ state: "detached" });

  await page.getByRole("button", { name: "Share" }).click();
  await page.locator("#said", { hasText: "copied" }).waitFor();
  const link = await page.evaluate(() => navigator.clipboard.readText());
  assert.match(link, /#1\./);
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => new Promise((resolve) => {
    const look = () => (navigator.serviceWorker.controller ? resolve() : setTimeout(look, 50));
    look();
  })));
  await page.reload();
  await page.locator("#definition .cm-line", { hasText: "pattern: a" }).waitFor();

  await page.context().setOffline(true);
  await page.goto("about:blank");
  await page.goto(link);
  await page.locator("#definition .cm-line", { hasText: "pattern: a" }).waitFor();
  await finding(page, "resource/unknown-field").waitFor();
  assert.deepEqual(page.problems, []);
  await page.context().close();
});

test("a link with settings shows what the defaults do not report", { skip }, async () => {
  const definition = readFileSync(join(repository, "fixtures/first-light/widgets.yaml"), "utf8");
  const settings = { rules: { "lint/description": "warning" } };
  const page = await pageAt(address + (await packed({ definition, settings })));
  await finding(page, "lint/description").first().waitFor();
  await page.locator("#settings", { hasText: "lint/description" }).waitFor();
  await picture(page, "settings");
  assert.deepEqual(await violations(page), []);
  await page.getByRole("button", { name: "Use the defaults" }).click();
  await finding(page, "lint/description").first().waitFor({ state: "detached" });
  assert.deepEqual(page.problems, []);
  await page.context().close();
});

test("hover, completion and every tab answer", { skip }, async () => {
  const page = await pageAt();
  await finding(page, "structural/type-required").first().waitFor();
  await page.locator("#definition .cm-line", { hasText: "openAPIV3Schema" }).locator("span").first().hover();
  await page.locator(".cm-lsp-hover-tooltip, .cm-tooltip-hover").first().waitFor();
  await picture(page, "hover");
  await page.mouse.move(0, 0);

  await behind(page, "definition", "type: string");
  await page.keyboard.press("Enter");
  await page.keyboard.type("maxL");
  await page.locator(".cm-tooltip-autocomplete", { hasText: "maxLength" }).waitFor();
  await picture(page, "completion");
  await page.keyboard.press("Escape");

  await page.locator("#example").selectOption("A rule that is too expensive");
  await finding(page, "cel/rule-cost").first().waitFor();
  // Types the name of the property in the definition, in its rule and in the resource.
  await page.locator("#definition .cm-line", { hasText: /^ +name:$/ }).locator("span").first().click();
  await page.keyboard.press("F2");
  await page.locator(".cm-lsp-rename-panel input[name=name]").fill("call");
  await page.keyboard.press("Enter");
  await page.locator("#definition .cm-line", { hasText: "a.call == b.call" }).waitFor();
  await page.locator("#resource .cm-line", { hasText: "call: hawk" }).waitFor();
  await picture(page, "renamed");
  for (const [tab, text] of [
    ["Stored object", "kind: Fleet"],
    ["Sample", "kind: Fleet"],
    ["Cost", "fleets.example.com v1"],
    ["Evaluation", "rule 1"],
    ["Versions", "fleets.example.com"],
  ]) {
    await page.getByRole("tab", { name: tab }).click();
    await page.locator("#panel", { hasText: text }).waitFor();
    await picture(page, `tab-${tab.toLowerCase().replaceAll(" ", "-")}`);
  }
  await page.locator("#example").selectOption("A change that breaks resources");
  await page.getByRole("tab", { name: "Diff" }).click();
  await page.locator("#panel li", { hasText: "breaking" }).first().waitFor();
  await page.getByRole("tab", { name: "Published schema" }).click();
  await page.locator("#panel", { hasText: "com.example.v1.Lamp" }).waitFor();
  await page.getByRole("button", { name: "Copy as issue" }).click();
  await page.locator("#said", { hasText: "Markdown" }).waitFor();
  assert.match(await page.evaluate(() => navigator.clipboard.readText()), /resource\/unknown-field/);
  assert.deepEqual(page.problems, []);
  await page.context().close();
});

for (const [name, options] of [
  ["wide", { viewport: { width: 1280, height: 900 } }],
  ["phone", { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true }],
  ["dark", { viewport: { width: 1280, height: 900 }, colorScheme: "dark" }],
]) {
  test(`nothing keeps anybody out: ${name}`, { skip }, async () => {
    const page = await pageAt(address, options);
    await finding(page, "structural/type-required").first().waitFor();
    await picture(page, name);
    assert.deepEqual(await violations(page), []);
    const isWide = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
    assert.equal(isWide, false, "the page scrolls sideways");
    await page.context().close();
  });
}

test("a broken link and a text that blocks the worker are reported", { skip }, async () => {
  const page = await pageAt(`${address}#1.nonsense`);
  await page.locator("#said", { hasText: "cannot be read" }).waitFor();
  await finding(page, "structural/type-required").first().waitFor();
  await page.evaluate(() => window.dispatchEvent(new CustomEvent("crd-ls-restart")));
  await page.locator("#trouble", { hasText: "started again" }).waitFor();
  await picture(page, "restart");
  await page.getByRole("button", { name: "Try again" }).click();
  await page.locator("#trouble").waitFor({ state: "hidden" });
  await behind(page, "resource", "colour: blue");
  await page.keyboard.press("Enter");
  await page.keyboard.type("unheard: of");
  await finding(page, "unheard").first().waitFor();
  await page.context().close();
});

test("the first finding and a key in 5,000 lines do not wait", { skip }, async (context) => {
  const page = await pageAt();
  await finding(page, "structural/type-required").first().waitFor();
  const cold = await page.evaluate(() => performance.getEntriesByName("findings")[0].startTime);

  const property = (number) => `                field${number}:\n                  type: string\n                  maxLength: ${number}\n`;
  const text = (await page.evaluate(() => window.playground.texts().definition.text)).replace(
    "                colour:\n",
    `${Array.from({ length: 1660 }, (_, number) => property(number + 1)).join("")}                colour:\n`,
  );
  await page.evaluate((definition) => window.playground.put({ definition, resource: "" }), text);
  await page.waitForFunction(() => window.playground.isSettled());
  await page.evaluate(() => {
    const view = window.playground.editors.definition;
    const at = view.state.doc.toString().indexOf("maxLength: 800") + "maxLength: 80".length;
    view.dispatch({ selection: { anchor: at }, scrollIntoView: true });
    view.focus();
  });
  const times = [];
  for (const key of "123456789") {
    const started = await page.evaluate(() => {
      performance.clearMarks("findings");
      return performance.now();
    });
    await page.keyboard.type(key);
    await page.waitForFunction(() => performance.getEntriesByName("findings").length > 0);
    times.push((await page.evaluate(() => performance.getEntriesByName("findings")[0].startTime)) - started);
    await page.keyboard.press("Backspace");
    await page.waitForTimeout(200);
  }
  const key = times.toSorted((one, other) => one - other)[Math.floor(times.length / 2)];
  context.diagnostic(`first finding after ${Math.round(cold)} ms, key in ${text.split("\n").length} lines ${Math.round(key)} ms`);
  assert.ok(cold < FIRST_FINDING * SLACK, `first finding after ${cold} ms`);
  assert.ok(key < KEYSTROKE * SLACK, `a key takes ${key} ms`);
  await page.context().close();
});
