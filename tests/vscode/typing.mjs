// From an empty file to a definition with a property, and a resource of it, with the keys counted.

import assert from "node:assert/strict";
import { session } from "./step.mjs";
import { Typist } from "./typist.mjs";

const files = { "crd.yaml": "", "gadget.yaml": "", "crd.json": "{}\n" };

await session({ files }, async (code, step) => {
  const typist = new Typist(code);
  const lines = (name) => code.file(name).trimEnd().split("\n");
  const save = async (name, wanted) => {
    await code.press("Control+s");
    await code.until(`the file ${name}`, () => lines(name).join("\n"), wanted);
  };

  await step("an empty file proposes a definition by its kind", async () => {
    await code.open("crd.yaml");
    await code.served();
    await typist.accept("Cust", "CustomResourceDefinition");
    await code.until("no squiggle", () => code.squiggles(), []);
  });
  await step("nothing is wrong while the names are filled in", async () => {
    for (const name of ["Gadget", "gadgets", "acme", "io"]) {
      await typist.type(name);
      assert.deepEqual(await code.squiggles(), []);
      await typist.press("Tab");
    }
  });
  await step(
    "Enter indents below a new key, and the values of an accepted key follow",
    async () => {
      await typist.type("mode:");
      await typist.press("Enter");
      await code.cursorAt(25, 17);
      await typist.accept("ty", "type");
      await code.until(
        "the types",
        () => code.proposals(),
        (all) => all.includes("string"),
      );
      await typist.type("st");
      await typist.press("Enter");
      await save("crd.yaml", (text) =>
        text.includes("\n              mode:\n                type: string\n"),
      );
      const keys = typist.taken();
      console.log(
        `keys for ${lines("crd.yaml").length} lines of a definition: ${keys}`,
      );
      assert.ok(keys / lines("crd.yaml").length < 2.5, `${keys} keys`);
      await code.until("no squiggle", () => code.squiggles(), []);
    },
  );
  await step(
    "keys and values that are typed in full stay as they are typed",
    async () => {
      const before = lines("crd.yaml").length;
      await typist.press("Enter");
      await typist.press("Backspace");
      for (const key of ["name:", "type: integer", "minimum: 3"]) {
        await typist.type(key);
        // Long enough for a list of completions.
        await code.page.waitForTimeout(500);
        await typist.press("Enter");
      }
      await typist.type("maximum: 5");
      await save("crd.yaml", (text) =>
        text.includes(
          "\n              name:\n                type: integer\n                minimum: 3\n                maximum: 5",
        ),
      );
      assert.equal(lines("crd.yaml").length, before + 4);
    },
  );
  await step("a block is pasted at the column of the cursor", async () => {
    await typist.press("Enter");
    await typist.press("Backspace");
    await code.paste("shade:\n  type: string\n");
    // The editor asks the extension before it inserts the text.
    await code.page
      .locator(".editor-instance .view-line", { hasText: "shade:" })
      .first()
      .waitFor();
    await save("crd.yaml", (text) =>
      text.includes(
        "\n              shade:\n                type: string",
      ),
    );
    await code.until("no squiggle", () => code.squiggles(), []);
  });
  await step("a new resource is found by its kind", async () => {
    await code.open("gadget.yaml");
    await typist.accept("Gad", "Gadget");
    await typist.type("one");
    await save("gadget.yaml", (text) =>
      text.startsWith(
        "apiVersion: acme.io/v1alpha1\nkind: Gadget\nmetadata:\n  name: one",
      ),
    );
    console.log(
      `keys for ${lines("gadget.yaml").length} lines of a resource: ${typist.taken()}`,
    );
  });
  await step("a definition in JSON is checked once it is one", async () => {
    await code.open("crd.json");
    await code.press("Control+a");
    const text =
      '{"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition", "spec": 1}';
    await code.page.keyboard.insertText(text);
    await code.until(
      "a squiggle",
      () => code.squiggles(),
      (all) => all.length > 0,
    );
  });
});
