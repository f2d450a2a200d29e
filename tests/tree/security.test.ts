import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";

const repository = resolve(import.meta.dirname, "../..");
const page = readFileSync(join(repository, "docs/security.md"), "utf8");

const rows = page
  .split("\n")
  .filter((line) => line.startsWith("| ") && !line.startsWith("| ---"))
  .map((line) =>
    line
      .split("|")
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );

type Requirement = { id: string; level: string; state: string; evidence: string };

const requirements: Requirement[] = rows.flatMap(([id = "", level = "", , state = "", evidence = ""]) =>
  /^\d+\.\d+\.\d+$/.test(id) ? [{ id, level, state, evidence }] : [],
);

/** Anything that looks like one of our file paths. */
const FILE = /(?<![\w/.-])(?:[\w.-]+\/)+[\w.-]+\.(?:tsx?|sql|mjs|md|conf|service)\b|\bdeploy\/Caddyfile\b/g;
const filesOf = (text: string) => text.match(FILE) ?? [];

test("every file that the page names exists", () => {
  const files = filesOf(page);
  expect(files.length).toBeGreaterThan(300);
  expect(files.filter((file) => !existsSync(join(repository, file)))).toEqual([]);
});

test("every attack has a control in the code, and a test that covers it", () => {
  const attacks = rows.filter((cells) => cells.length === 4 && /\.test\.ts/.test(cells[3] ?? ""));
  expect(attacks.length).toBeGreaterThan(30);
  for (const [attack, , code = "", tests = ""] of attacks) {
    expect(
      code.split(", ").filter((file) => !existsSync(join(repository, file))),
      attack,
    ).toEqual([]);
    expect(
      tests.split(", ").filter((file) => !/\.test\.ts$/.test(file)),
      attack,
    ).toEqual([]);
  }
});

test("each requirement of ASVS 5.0.0 levels 1 and 2 is assessed once, and each that is met names a file", () => {
  expect(new Set(requirements.map(({ id }) => id)).size).toBe(requirements.length);
  expect(requirements.filter(({ level }) => level === "1")).toHaveLength(70);
  expect(requirements.filter(({ level }) => level === "2")).toHaveLength(183);
  for (const { id, state, evidence } of requirements) {
    expect(["met", "not met", "not applicable"], id).toContain(state);
    expect(evidence, id).not.toBe("");
    if (state === "met") expect(filesOf(evidence).length, `${id}: ${evidence}`).toBeGreaterThan(0);
  }
});

test("the page's totals match its rows", () => {
  for (const level of ["1", "2"]) {
    const counts = ["met", "not met", "not applicable"].map(
      (state) => requirements.filter((each) => each.level === level && each.state === state).length,
    );
    expect(page).toContain(`| level ${level} | ${counts.join(" | ")} |`);
  }
});
