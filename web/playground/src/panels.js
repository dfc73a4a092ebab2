// The contents of the tabs. Each creates elements from the engine's answers; texts of the user are inserted
// only as text.

export function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
    else if (value !== undefined) made.setAttribute(key, value);
  }
  made.append(...children.filter((child) => child !== undefined));
  return made;
}

const note = (text) => element("p", {}, text);
const source = (text) => element("pre", { tabindex: "0" }, text);

function table(caption, heads, rows) {
  const head = element("tr", {}, ...heads.map((text) => element("th", { scope: "col" }, text)));
  const body = rows.map((cells) => {
    return element("tr", {}, ...cells.map((cell) => element("td", typeof cell === "number" ? { class: "number" } : {}, String(cell))));
  });
  return element("table", {}, element("caption", {}, caption), element("thead", {}, head), element("tbody", {}, ...body));
}

/** A cost above this value is unbounded. */
const UNBOUNDED = 1e18;
const cost = (number) => (number > UNBOUNDED ? "unbounded" : number.toLocaleString("en"));

/** A share of the limit in percent, or as a multiple if it exceeds the limit. */
function share(part) {
  if (part > UNBOUNDED / 1e7) return "unbounded";
  return part < 1 ? `${(part * 100).toFixed(1)} %` : `${Number(part.toPrecision(3)).toLocaleString("en")} × the limit`;
}

/** The tabs beside the findings: their names and contents. */
export const panels = [
  {
    id: "stored",
    title: "Stored object",
    async show({ call, texts }) {
      const { objects, unknown } = await call("stored", texts());
      const parts = objects.map(({ text }) => source(text));
      for (const kind of unknown) parts.push(note(`The definition does not serve ${kind}.`));
      return parts.length > 0 ? parts : [note("The resource pane has no custom resource.")];
    },
  },
  {
    id: "sample",
    title: "Sample",
    async show({ call, texts, takeResource }) {
      const samples = await call("sample", texts());
      if (samples.length === 0) return [note("The definition serves no version.")];
      return samples.flatMap(({ apiVersion, yaml, unmet = [] }) => [
        element("button", { type: "button", onclick: () => takeResource(yaml) }, `Use as resource (${apiVersion})`),
        source(yaml),
        ...unmet.map((problem) => note(`No valid sample was found: ${problem}`)),
      ]);
    },
  },
  {
    id: "schema",
    title: "Published schema",
    async show({ call, texts }) {
      const published = await call("openapi", texts());
      return published.length > 0
        ? published.map(({ yaml }) => source(yaml))
        : [note("There is no definition that kube-apiserver accepts.")];
    },
  },
  {
    id: "cost",
    title: "Cost",
    async show({ call, texts }) {
      const definitions = await call("cost", texts());
      const tables = definitions.flatMap(({ name, versions }) =>
        versions.map(({ version, total, totalLimit, perRuleLimit, rules, error }) => {
          if (rules.length === 0) return note(`${name} ${version}: ${error ?? "no rules"}`);
          const rows = rules.map((rule) => [
            rule.path,
            rule.rule,
            rule.error ?? cost(rule.total),
            rule.error ? "" : share(rule.total / perRuleLimit),
          ]);
          const caption = `${name} ${version}: ${cost(total)} of ${cost(totalLimit)}`;
          return table(caption, ["Path", "Rule", "Estimated cost", "Of the limit"], rows);
        }),
      );
      return tables.length > 0 ? tables : [note("There is no definition.")];
    },
  },
  {
    id: "evaluation",
    title: "Evaluation",
    async show({ call, texts }) {
      const all = await call("eval", texts());
      return all.map(({ text, problem }) => source(text ?? problem));
    },
  },
  {
    id: "versions",
    title: "Versions",
    async show({ call, texts }) {
      const all = await call("versions", texts());
      return all.length > 0 ? all.map(({ text }) => source(text)) : [note("There is no definition.")];
    },
  },
  {
    id: "diff",
    title: "Diff",
    async show({ call, texts, old, keepOld }) {
      const keep = element("button", { type: "button", onclick: keepOld }, "Keep this definition as the old one");
      if (old() === "") return [note("Keep an old definition to see what changes against it."), keep];
      const changes = await call("diff", {
        old: { path: "old.yaml", text: old() },
        new: { path: "new.yaml", text: texts().definition.text },
      });
      const items = changes.map(({ class: how, message, path, line }) =>
        element(
          "li",
          {},
          element("span", { class: `severity ${how === "breaking" ? "error" : how === "risky" ? "warning" : "hint"}` }, how),
          element("span", { class: "message" }, message),
          element("span", {}, [path, line === null ? "" : `line ${line}`].filter(Boolean).join(", ")),
        ),
      );
      return [keep, items.length > 0 ? element("ul", {}, ...items) : note("Nothing changes for resources.")];
    },
  },
];
