import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const LOADED_LATE = ["@node-saml/node-saml", "@peculiar/x509", "reflect-metadata"];

const LIST_LOADED = `
  await import("./backend/auth/create-auth.ts");
  const { createRequire } = await import("node:module");
  console.log(Object.keys(createRequire(import.meta.url).cache).join("\\n"));`;

test("starting does not load modules that only sites with an identity provider need", () => {
  const cwd = fileURLToPath(new URL("../../..", import.meta.url));
  const loaded = execFileSync(process.execPath, ["--input-type=module", "--eval", LIST_LOADED], {
    cwd,
  }).toString();
  expect(loaded).toContain("/node_modules/pg/");
  expect(LOADED_LATE.filter((name) => loaded.includes(`/node_modules/${name}/`))).toEqual([]);
});
