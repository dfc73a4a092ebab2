// The types of the package match its use.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { test } from "node:test";

const folder = fileURLToPath(new URL("../", import.meta.url));

test("the package is used with its types", () => {
  const options = ["--noEmit", "--strict", "--target", "es2022", "--module", "nodenext", "--lib", "es2023,dom"];
  const { status, stdout } = spawnSync(process.execPath, ["node_modules/typescript/bin/tsc", ...options, "test/usage.ts"], {
    cwd: folder,
    encoding: "utf8",
  });
  assert.equal(status, 0, stdout);
});
