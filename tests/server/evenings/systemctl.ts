import { type ChildProcess, spawn } from "node:child_process";
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

/** Stands in for systemd, which the tests do not have: applies a unit's command, folders and environment. */
const root = process.env.MACHINE ?? "";
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
function readUnit(name: string): [name: string, value: string][] {
  const folder = join(root, "etc/systemd/system");
  const more = join(folder, `${name}.service.d`);
  const files = existsSync(more) ? readdirSync(more).map((file) => join(more, file)) : [];
  const text = [join(folder, `${name}.service`), ...files]
    .map((file) => readFileSync(file, "utf8"))
    .join("\n");
  return Array.from(text.matchAll(/^(\w+)=(.*)$/gm), ([, key = "", value = ""]) => [key, value]);
}

const assignments = (text: string, between: RegExp) =>
  Object.fromEntries(
    text
      .split(between)
      .filter((pair) => /^\w+=/.test(pair))
      .map((pair) => [pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1)]),
  );

function startUnit(name: string): void {
  const unit = readUnit(name);
  const of = (key: string) => unit.filter(([each]) => each === key).map(([, value]) => value);
  const env = { ...assignments(of("Environment").join(" "), /\s+/) };
  for (const file of of("EnvironmentFile"))
    Object.assign(env, assignments(readFileSync(file.replace(/^-/, ""), "utf8"), /\n/));
  // When root runs the tests, PostgreSQL has a different account than the site.
  for (const [kind, folder] of [
    ["StateDirectory", "var/lib"],
    ["RuntimeDirectory", "run"],
  ] as const)
    for (const each of of(kind)) mkdirSync(join(root, folder, each), { recursive: true, mode: 0o711 });
  requireWritable(env, [...of("ReadWritePaths"), join(root, "var/lib"), join(root, "run")]);
  // A single-core machine.
  const machine = { PATH: process.env.PATH, HOME: process.env.HOME, WORKERS: "1" };
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

function main(): void {
  const words = process.argv.slice(2).join(" ");
  if (words === "daemon-reload" || words === "restart prometheus") return;
  if (words === "enable --now fruit-values") startUnit("fruit-values");
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
