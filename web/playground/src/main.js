// The playground: two texts, the server in a worker, and its results.

import { Server } from "../../package/client.js";
import { examples } from "./examples.js";
import { clientOf, cursorOf, editorOf, fixesAt, replace, take } from "./languages.js";
import { element, panels } from "./panels.js";
import { asIssue, packed, unpacked } from "./share.js";

const SEVERITIES = ["error", "error", "warning", "information", "hint"];
/** The maximum number of listed findings: nobody reads more, and each is an element. */
const MOST_LISTED = 500;
/** The delay after a keystroke before the open tab is updated, in milliseconds. */
const TAB_DELAY = 250;

const at = (id) => document.getElementById(id);
const NAMES = { definition: "crd-ls:///definition.yaml", resource: "crd-ls:///resource.yaml" };
const SHOWN = { [NAMES.definition]: "definition", [NAMES.resource]: "resource" };

const state = { old: "", settings: undefined, version: "", findings: { definition: [], resource: [] }, tab: "findings", isBroken: false };
const editors = {};

function say(text) {
  at("said").textContent = text;
}

const textOf = (name) => editors[name].state.doc.toString();

function textsForCalls() {
  return {
    definition: { path: "definition.yaml", text: textOf("definition") },
    resource: { path: "resource.yaml", text: textOf("resource") },
    kubernetesVersion: at("kubernetes").value,
  };
}

// ---- the server

const server = new Server(() => new Worker("worker.js", { type: "module" }), {
  source: new URL("crd-ls.wasm.gz", location.href).href,
  onReady: ({ version, oldest, newest, default: chosen }) => {
    state.version = version;
    at("version").textContent = `crd-ls ${version}`;
    offerReleases(oldest, newest, chosen);
  },
  onRestart: (reason) => {
    client.disconnect();
    state.isBroken = true;
    at("why").textContent = `${reason}. It was stopped and is started again with your next change, which may be the remedy.`;
    at("trouble").hidden = false;
  },
});

const client = clientOf({
  onFindings: (uri, diagnostics) => {
    const name = SHOWN[uri];
    if (name === undefined) return;
    state.findings[name] = diagnostics;
    performance.mark("findings");
    if (state.tab === "findings") showFindings();
    nameTabs();
  },
});

function connect() {
  state.isBroken = false;
  at("trouble").hidden = true;
  client.connect(server.transport);
  client.initializing.then(sendSettings).catch(() => {});
}

function sendSettings() {
  const { value } = at("kubernetes");
  if (value === "") return;
  client.notification("workspace/didChangeConfiguration", { settings: { ...state.settings, kubernetesVersion: value } });
}

/** Applies the settings of an example, which the page shows; without settings, the defaults. */
function use(settings) {
  state.settings = settings;
  at("settings").hidden = settings === undefined;
  at("settings-text").textContent = settings === undefined ? "" : JSON.stringify(settings);
  sendSettings();
}

function offerReleases(oldest, newest, chosen) {
  const select = at("kubernetes");
  const wanted = select.value || select.dataset.wanted || chosen;
  const minor = (release) => Number(release.split(".")[1]);
  const all = [];
  for (let number = minor(newest); number >= minor(oldest); number--) all.push(`1.${number}`);
  select.replaceChildren(...all.map((release) => element("option", {}, release)));
  select.value = all.includes(wanted) ? wanted : chosen;
  sendSettings();
}

// ---- findings and their fixes

function listed() {
  return Object.entries(state.findings).flatMap(([name, all]) =>
    all.map((diagnostic) => ({
      name,
      diagnostic,
      line: diagnostic.range.start.line + 1,
      severity: SEVERITIES[diagnostic.severity ?? 1],
      code: diagnostic.code,
      message: diagnostic.message,
    })),
  );
}

function goTo({ name, diagnostic }) {
  const view = editors[name];
  const { line, character } = diagnostic.range.start;
  const found = view.state.doc.line(Math.min(line + 1, view.state.doc.lines));
  view.dispatch({ selection: { anchor: Math.min(found.from + character, found.to) }, scrollIntoView: true });
  view.focus();
}

function showFindings() {
  const all = listed();
  const items = all.slice(0, MOST_LISTED).map((one) => {
    const { href } = one.diagnostic.codeDescription ?? {};
    return element(
      "li",
      {},
      element("span", { class: `severity ${one.severity}` }, one.severity),
      element("button", { type: "button", class: "place", onclick: () => goTo(one) }, `${one.name}, line ${one.line}`),
      element("span", { class: "message" }, one.message),
      href ? element("a", { href, rel: "noreferrer", target: "_blank" }, one.code) : element("span", {}, one.code),
      element(
        "button",
        {
          type: "button",
          "aria-label": `Fix ${one.code} in ${one.name}, line ${one.line}`,
          onclick: () => offerFixes(editors[one.name], one.diagnostic.range, [one.diagnostic]),
        },
        "Fix…",
      ),
    );
  });
  const fixAll = element("button", { type: "button", onclick: fixAllSafe }, "Apply all safe fixes");
  const more = all.length > MOST_LISTED ? element("p", {}, `${all.length - MOST_LISTED} more`) : undefined;
  at("panel").replaceChildren(
    ...(items.length > 0 ? [fixAll, element("ul", {}, ...items)] : [element("p", {}, "No findings.")]),
    ...(more ? [more] : []),
  );
}

async function offerFixes(view, range, diagnostics) {
  let actions;
  try {
    actions = await fixesAt(view, range, diagnostics);
  } catch (error) {
    return say(`No fixes: ${error.message}`);
  }
  actions = actions.filter(({ edit, kind }) => edit && kind !== "source.fixAll.crd-ls");
  if (actions.length === 0) return say("There is no fix for this finding.");
  const offers = actions.map((action) => {
    const choose = () => {
      at("fixes").close();
      take(view, action);
      say(`Done: ${action.title}`);
    };
    return element("li", {}, element("button", { type: "button", onclick: choose }, action.title));
  });
  at("offers").replaceChildren(...offers);
  at("fixes").showModal();
}

async function fixAllSafe() {
  const { definition, resource, kubernetesVersion } = textsForCalls();
  const { files } = await server.call("fix", { files: [definition, resource], kubernetesVersion });
  for (const { path, text } of files) replace(editors[path.replace(".yaml", "")], text);
  say(files.some(({ changed }) => changed) ? "All safe fixes are applied." : "No fix is safe enough to be applied unseen.");
}

// ---- tabs

const tabs = [{ id: "findings", title: "Findings" }, ...panels];

function makeTabs() {
  const made = tabs.map(({ id, title }) =>
    element("button", { type: "button", role: "tab", id: `tab-${id}`, "aria-controls": "panel", onclick: () => open(id) }, title),
  );
  at("tabs").replaceChildren(...made);
  at("tabs").addEventListener("keydown", ({ key }) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[key];
    if (step === undefined) return;
    const now = tabs.findIndex(({ id }) => id === state.tab);
    const next = tabs[(now + step + tabs.length) % tabs.length].id;
    open(next);
    at(`tab-${next}`).focus();
  });
}

function nameTabs() {
  const count = listed().length;
  at("tab-findings").textContent = count === 0 ? "Findings" : `Findings (${count})`;
}

function open(id) {
  state.tab = id;
  for (const tab of tabs) {
    const isOpen = tab.id === id;
    at(`tab-${tab.id}`).setAttribute("aria-selected", String(isOpen));
    at(`tab-${tab.id}`).tabIndex = isOpen ? 0 : -1;
  }
  at("panel").setAttribute("aria-labelledby", `tab-${id}`);
  fill();
}

let filling = 0;

async function fill() {
  if (state.tab === "findings") return showFindings();
  const panel = panels.find(({ id }) => id === state.tab);
  const mine = ++filling;
  let shown;
  try {
    shown = await panel.show({
      call: (method, params) => server.call(method, params),
      texts: textsForCalls,
      old: () => state.old,
      keepOld: () => {
        state.old = textOf("definition");
        fill();
      },
      takeResource: (text) => replace(editors.resource, text),
    });
  } catch (error) {
    shown = [element("p", {}, error.message)];
  }
  // Otherwise, the user has chosen another tab, or a later answer has arrived.
  if (mine === filling && state.tab === panel.id) at("panel").replaceChildren(...shown);
}

let planned;

function changed() {
  if (state.isBroken) connect();
  clearTimeout(planned);
  planned = setTimeout(() => {
    if (state.tab !== "findings") fill();
  }, TAB_DELAY);
}

// ---- sharing

async function copy(text, done) {
  try {
    await navigator.clipboard.writeText(text);
    say(done);
  } catch {
    say("The browser does not let the page copy. The address of the page holds the texts.");
  }
}

async function share() {
  const texts = {
    definition: textOf("definition"),
    resource: textOf("resource"),
    old: state.old,
    kubernetes: at("kubernetes").value,
    settings: state.settings,
  };
  history.replaceState(null, "", await packed(texts));
  await copy(location.href, "The link with both texts is copied. They are in the part behind #, which is sent to no server.");
}

async function copyIssue() {
  const findings = listed();
  const text = asIssue({
    definition: textOf("definition"),
    resource: textOf("resource"),
    kubernetes: at("kubernetes").value,
    settings: state.settings,
    version: state.version,
    findings,
  });
  await copy(text, "Copied as Markdown, ready to be pasted into an issue.");
}

function put({ definition, resource, old = "", kubernetes, settings }) {
  state.old = old;
  if (kubernetes !== undefined) {
    at("kubernetes").dataset.wanted = kubernetes;
    if (at("kubernetes").options.length > 0) {
      at("kubernetes").value = kubernetes;
    }
  }
  use(settings);
  replace(editors.definition, definition);
  replace(editors.resource, resource);
  changed();
}

// ---- the start

async function first() {
  try {
    return (await unpacked(location.hash)) ?? examples[0];
  } catch (error) {
    say(`The link cannot be read: ${error.message}`);
    return examples[0];
  }
}

const texts = await first();
state.old = texts.old ?? "";
if (texts.kubernetes !== undefined) at("kubernetes").dataset.wanted = texts.kubernetes;
for (const [name, label] of [["definition", "Definition"], ["resource", "Resource"]]) {
  editors[name] = editorOf({
    parent: at(name),
    uri: NAMES[name],
    label,
    text: texts[name],
    client,
    onChange: changed,
    onFixes: (view) => {
      const here = cursorOf(view);
      offerFixes(view, { start: here, end: here });
    },
  });
}
makeTabs();
open("findings");
connect();
use(texts.settings);

at("example").replaceChildren(...examples.map(({ name }) => element("option", {}, name)), element("option", { hidden: "" }, "From a link"));
at("example").selectedIndex = examples.includes(texts) ? examples.indexOf(texts) : examples.length;
at("example").addEventListener("change", ({ target }) => put(examples[target.selectedIndex]));
at("default-settings").addEventListener("click", () => {
  use(undefined);
  changed();
});
at("kubernetes").addEventListener("change", () => {
  sendSettings();
  changed();
});
at("share").addEventListener("click", share);
at("issue").addEventListener("click", copyIssue);
at("again").addEventListener("click", connect);
window.addEventListener("hashchange", async () => {
  const found = await unpacked(location.hash).catch(() => undefined);
  if (found === undefined) return;
  at("example").selectedIndex = examples.length;
  put(found);
});

if ("serviceWorker" in navigator && location.protocol.startsWith("http")) {
  navigator.serviceWorker.register("sw.js").catch(() => {});
}

// For tests, and for experiments in the console.
window.playground = {
  editors,
  put,
  texts: textsForCalls,
  /** Whether the server has received and answered all changes. */
  isSettled: () => !server.isBusy,
};
window.addEventListener("crd-ls-restart", () => server.restart("crd-ls was stopped on purpose"));
