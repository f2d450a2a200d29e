import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { isRunning } from "#tests/helpers/processes.ts";

/**
 * Stands in for systemd, which the tests do not have: applies a unit's command, folders and environment, and runs other
 * commands with them.
 */
const root = process.env.MACHINE ?? "";
type Line = [name: string, value: string];
const noteOf = (service: string) => join(root, "run", `${service}.pid`);

function start(service: string, command: string[], options: { cwd?: string; env?: NodeJS.ProcessEnv }): void {
  const log = openSync(join(root, "tmp", `${service}.log`), "a");
  const [program = "", ...args] = command;
  const stdio = ["ignore", log, log] as const;
  const child: ChildProcess = spawn(program, args, { ...options, detached: true, stdio: [...stdio] });
  closeSync(log);
  writeFileSync(noteOf(service), String(child.pid));
  child.unref();
}

/** The lines of a unit and its drop-ins. */
function readUnit(name: string): Line[] {
  const folder = join(root, "etc/systemd/system");
  const more = join(folder, `${name}.service.d`);
  const files = existsSync(more) ? readdirSync(more).map((file) => join(more, file)) : [];
  return readLines([join(folder, `${name}.service`), ...files]);
}

function readLines(files: string[]): Line[] {
  const text = files.map((file) => readFileSync(file, "utf8")).join("\n");
  return Array.from(text.matchAll(/^(\w+)=(.*)$/gm), ([, key = "", value = ""]) => [key, value]);
}

const assignments = (text: string, between: RegExp) =>
  Object.fromEntries(
    text
      .split(between)
      .filter((pair) => /^\w+=/.test(pair))
      .map((pair) => [pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1)]),
  );

const readEnvironment = (file: string) => assignments(readFileSync(file.replace(/^-/, ""), "utf8"), /\n/);

function startUnit(name: string): void {
  const unit = readUnit(name);
  const of = (key: string) => unit.filter(([each]) => each === key).map(([, value]) => value);
  const env = { ...assignments(of("Environment").join(" "), /\s+/) };
  for (const file of of("EnvironmentFile")) Object.assign(env, readEnvironment(file));
  // When root runs the tests, PostgreSQL has a different account than the site.
  for (const [kind, folder] of [
    ["StateDirectory", "var/lib"],
    ["RuntimeDirectory", "run"],
  ] as const)
    for (const each of of(kind)) mkdirSync(join(root, folder, each), { recursive: true, mode: 0o711 });
  requireWritable(env, [...of("ReadWritePaths"), join(root, "var/lib"), join(root, "run")]);
  // A single-core machine.
  const { PATH, HOME, NODE_COMPILE_CACHE } = process.env;
  const machine = { PATH, HOME, NODE_COMPILE_CACHE, WORKERS: "1" };
  start(name, (of("ExecStart")[0] ?? "").split(" "), {
    cwd: of("WorkingDirectory")[0] ?? "/",
    env: { ...machine, ...env },
  });
}

/** Everything else is read-only for the unit (ProtectSystem=strict). */
function requireWritable(env: Record<string, string>, folders: string[]): void {
  for (const name of ["DATA_DIR", "BACKUP_TO", "WAL_ARCHIVE_TO", "TMPDIR"]) {
    const path = env[name];
    if (path && !folders.some((folder) => path.startsWith(folder)))
      throw new Error(`${name} is ${path}, where the unit cannot write`);
  }
}

function pidOf(service: string): number | null {
  if (!existsSync(noteOf(service))) return null;
  const pid = Number(readFileSync(noteOf(service), "utf8"));
  return isRunning(pid) ? pid : null;
}

/** Runs a command beside the service, whose account, folders and settings it must have. */
function runBeside(args: string[]): void {
  const unit = readLines([join(root, "srv/deploy/fruit-values.service")]);
  const of = (key: string) => unit.filter(([each]) => each === key).map(([, value]) => value);
  const { DATA_DIR } = assignments(of("Environment").join(" "), /\s+/);
  const [user, folder, settings] = ["User", "WorkingDirectory", "EnvironmentFile"].map((key) => of(key)[0]);
  const expected = ["--pipe", "--wait", "--collect", "--quiet", `--uid=${user}`];
  expected.push(`--working-directory=${folder}`, `--property=EnvironmentFile=${settings}`);
  expected.push(`--setenv=DATA_DIR=${DATA_DIR}`);
  const command = args.findIndex((each) => !each.startsWith("--"));
  const options = args.slice(0, command);
  if (options.toSorted().join(" ") !== expected.toSorted().join(" "))
    throw new Error(`the service implies ${expected.join(" ")}, not ${options.join(" ")}`);
  const [program = "", ...more] = args.slice(command);
  const env = { ...process.env, DATA_DIR, ...readEnvironment(settings ?? "") };
  process.exitCode = spawnSync(program, more, { cwd: folder, env, stdio: "inherit" }).status ?? 1;
}

function main(): void {
  const [stands, ...args] = process.argv.slice(2);
  const words = args.join(" ");
  if (stands === "systemd-run") runBeside(args);
  else if (words === "daemon-reload" || words === "restart prometheus") return;
  else if (words === "enable --now fruit-values") startUnit("fruit-values");
  else if (words === "reload nginx") reloadNginx();
  else throw new Error(`nothing stands in for systemctl ${words}`);
}

/** Debian starts nginx on installation. */
function reloadNginx(): void {
  const pid = pidOf("nginx");
  if (pid) process.kill(pid, "SIGHUP");
  else start("nginx", ["nginx"], { env: process.env });
}

main();
