import { execFile, execFileSync } from "node:child_process";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { LEAN_ENVIRONMENT, LEAN_FLAGS } from "#scripts/keep-memory-low.mjs";
import { readyDataDir } from "#tests/helpers/ready-data.ts";
import { startServer } from "#tests/helpers/server-process.ts";

const repository = resolve(import.meta.dirname, "../../..");
const read = (file: string) => readFileSync(join(repository, file), "utf8");

type Instruction = { name: string; value: string };

/** The instructions of each stage, in order; the last stage is shipped. */
function readStages(): Instruction[][] {
  const lines = read("Dockerfile")
    .replaceAll("\\\n", " ")
    .split("\n")
    .filter((line) => line && !line.startsWith("#"));
  const stages: Instruction[][] = [];
  for (const line of lines) {
    const [, name = "", value = ""] = /^(\S+)\s+(.*)$/.exec(line) ?? [];
    if (name === "FROM") stages.push([]);
    stages.at(-1)?.push({ name, value });
  }
  return stages;
}

const valuesOf = (stage: Instruction[], name: string) =>
  stage.filter((each) => each.name === name).map(({ value }) => value);
const stages = readStages();
const [packages = [], build = []] = stages;
const shipped = stages.at(-1) ?? [];
/** Paths that a stage copies from the repository, not from another stage. */
const copiedBy = (...those: Instruction[][]) => [
  ...new Set(
    those
      .flatMap((stage) => valuesOf(stage, "COPY"))
      .filter((value) => !value.startsWith("--from="))
      .flatMap((value) => value.split(/\s+/).slice(0, -1)),
  ),
];
const commandOf = (text: string): string[] => JSON.parse(text.slice(text.indexOf("[")));

test("what the Dockerfile copies exists, is not ignored, and is everything a build and a start read", () => {
  const copied = copiedBy(packages, build);
  expect(copied.filter((path) => !existsSync(join(repository, path)))).toEqual([]);
  const [everything, ...lines] = read(".dockerignore").trim().split("\n");
  expect(everything).toBe("*");
  const letIn = lines.filter((line) => line.startsWith("!")).map((line) => line.slice(1));
  expect(letIn.sort()).toEqual([...copied].sort());
  const { imports } = JSON.parse(read("package.json"));
  const rooms = Object.values<string>(imports).map((path) => path.split("/")[1] as string);
  const forTests = ["bench", "tests"];
  expect(rooms.filter((room) => !forTests.includes(room) && !copied.includes(room))).toEqual([]);
});

test("the shipped image has what a start reads and no page sources, which were built", () => {
  expect(copiedBy(shipped).toSorted()).toEqual(
    ["backend", "domain", "package-lock.json", "package.json", "public", "server", "supabase"].toSorted(),
  );
  const built = valuesOf(shipped, "COPY").filter((value) => value.startsWith("--from="));
  expect(built).toEqual(["--from=lean /app/node_modules ./node_modules", "--from=build /app/build ./build"]);
});

test("the container runs as non-root, keeps its data in one volume, and reports its health", () => {
  const [user] = valuesOf(shipped, "USER");
  expect(user).toMatch(/^[a-z]+$/);
  expect(user).not.toBe("root");
  expect(valuesOf(shipped, "RUN").join()).toMatch(new RegExp(`useradd --uid \\d{5} .* ${user} `));
  expect(shipped.findIndex(({ name }) => name === "USER")).toBeLessThan(
    shipped.findIndex(({ name }) => name === "CMD"),
  );
  const env = Object.fromEntries(
    valuesOf(shipped, "ENV")
      .join(" ")
      .split(" ")
      .map((pair) => pair.split("=")),
  );
  expect(valuesOf(shipped, "VOLUME")).toEqual([env.DATA_DIR]);
  expect(valuesOf(shipped, "EXPOSE")).toEqual([env.PORT]);
  expect(env).toMatchObject(LEAN_ENVIRONMENT);
  const [program, ...args] = commandOf(valuesOf(shipped, "CMD")[0] as string);
  expect(existsSync(join(repository, program as string))).toBe(true);
  expect(args).toEqual([...LEAN_FLAGS, "server/main.ts"]);
  const compose = read("compose.yaml");
  expect(compose).toContain(`:${env.PORT}"`);
  expect(compose).toContain(`data:${env.DATA_DIR}`);
  // A .env for another deployment may name others, at which nobody reaches the site or its data.
  const [, settings] = /^ {4}environment:\n((?: {6}.*\n)+)/m.exec(compose) ?? [];
  for (const line of ["HOST: 0.0.0.0", `PORT: ${env.PORT}`, `DATA_DIR: ${env.DATA_DIR}`])
    expect(settings).toContain(`      ${line}\n`);
});

test("the commands that the manual runs in a container are there", () => {
  const commands = [...read("docs/operations.md").matchAll(/docker compose \S+ .*?(server\/\S+\.ts)/g)];
  const files = commands.map(([, file = ""]) => file);
  expect(files).toContain("server/commands/make-admin.ts");
  expect(files.filter((file) => !existsSync(join(repository, file)))).toEqual([]);
});

test("the container's start command serves, and its health check tells a responding site from a dead one", async () => {
  const dataDir = readyDataDir();
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
  const command = commandOf(valuesOf(shipped, "CMD")[0] as string);
  const server = await startServer({ env: { DATA_DIR: dataDir }, command });
  const [program = "", ...args] = commandOf(valuesOf(shipped, "HEALTHCHECK")[0] as string);
  const isHealthy = () =>
    new Promise<boolean>((done) => {
      const env = { ...process.env, PORT: new URL(server.address).port };
      execFile(program, args, { cwd: repository, env }, (error) => done(error === null));
    });
  // On a busy machine it may time out, so it is retried as a container's own check would be.
  await expect.poll(isHealthy).toBe(true);
  await server.stop();
  expect(await isHealthy()).toBe(false);
});

/** Libraries besides libc that every minimal Debian has, because its package manager needs them. */
const IN_EVERY_DEBIAN =
  /^(linux-vdso|ld-linux|libc|libm|libdl|libpthread|librt|libresolv|libstdc\+\+|libgcc_s)[.-]/;

test.skipIf(!existsSync("/usr/bin/ldd"))("both stages install the system libraries that Node needs", () => {
  const listed = execFileSync("/usr/bin/ldd", ["node_modules/node/bin/node"], {
    cwd: repository,
    encoding: "utf8",
  });
  const libraries = [...listed.matchAll(/([\w.+-]+\.so)\.(\d+)/g)].filter(
    ([name]) => !IN_EVERY_DEBIAN.test(name),
  );
  const lacking = new Set(libraries.map(([, name, version]) => `${name?.replace(".so", "")}${version}`));
  for (const stage of [packages, shipped])
    for (const each of lacking) expect(valuesOf(stage, "RUN").join()).toContain(` ${each} `);
});

function hasProgram(name: string): boolean {
  try {
    execFileSync(name, ["--version"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

test("the systemd unit runs the same command", () => {
  const unit = read("deploy/fruit-values.service");
  const [, ...args] = commandOf(valuesOf(shipped, "CMD")[0] as string);
  expect(unit).toContain(`ExecStart=/srv/fruit-values/node_modules/.bin/node ${args.join(" ")}\n`);
  for (const [name, value] of Object.entries(LEAN_ENVIRONMENT)) expect(unit).toContain(`${name}=${value}`);
});

test("the manual runs every command beside the service alike, with its settings", () => {
  const commands = [...read("docs/operations.md").matchAll(/systemd-run ([^`]*?)[\s\\]*npm run/g)];
  const options = new Set(commands.map(([, words = ""]) => words.replace(/[\s\\]+/g, " ")));
  expect(options.size).toBe(1);
  expect([...options].join()).toContain("=EnvironmentFile=-/etc/fruit-values.env ");
  expect(read("docs/operations.md")).not.toContain("sudo ");
});

/**
 * Exposure score out of 10, lower is better; systemd rates up to 2 as well protected, and a unit without any hardening
 * scores 9.2.
 */
const MOST_EXPOSED = "1.5";

test.skipIf(!hasProgram("systemd-analyze"))(
  "systemd finds little exposure in the unit beyond what the site needs",
  () => {
    const unit = join(repository, "deploy/fruit-values.service");
    const threshold = String(Number(MOST_EXPOSED) * 10);
    const args = ["security", "--offline=true", "--no-pager", `--threshold=${threshold}`, unit];
    expect(() => execFileSync("systemd-analyze", args, { stdio: "pipe" })).not.toThrow();
  },
);
