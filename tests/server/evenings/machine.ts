import { spawn } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from "node:fs";
import { join, resolve } from "node:path";
import { mainNginxConfig, NGINX } from "#tests/helpers/nginx.ts";
import { isRunning, postmasterOf } from "#tests/helpers/processes.ts";
import { quietPort } from "#tests/helpers/quiet-port.ts";

const REPOSITORY = resolve(import.meta.dirname, "../../..");
const SYSTEMD = join(import.meta.dirname, "systemd.ts");

/** The only substitutions made in the document: addresses, ports and folders. */
type Table = readonly (readonly [inDocument: string, here: string])[];

/**
 * A bare machine in a folder of its own. Its commands are real except those that would change the machine running the
 * tests: packages and accounts already exist, and services are started from their units as systemd would.
 */
export type Machine = {
  /** The site's public URL. */
  address: string;
  mailPort: number;
  /** The local path for a path in the document. */
  pathOf(path: string): string;
  /** Runs a block of the document; returns its output. @throws with the output if it fails */
  follow(commands: string): Promise<string>;
  /** Entries of the table that no block has used yet. */
  unused(): string[];
  /** Kills all processes at once and replaces the disk with a bare one. */
  die(): void;
  /** Kills all running processes. */
  stop(): void;
};

export async function openMachine(parent: string): Promise<Machine> {
  const root = join(parent, "machine");
  const [secure, plain, site, metrics, mail] = await Promise.all([0, 0, 0, 0, 0].map(() => quietPort()));
  const address = `https://localhost:${secure}`;
  const table: Table = [
    ["https://values.example", address],
    ["values.example", "localhost"],
    ["mail.example:465", `127.0.0.1:${mail}`],
    ["PORT=3000", `PORT=${site}`],
    ["127.0.0.1:3000", `127.0.0.1:${site}`],
    ["METRICS_PORT=9464", `METRICS_PORT=${metrics}`],
    ["127.0.0.1:9464", `127.0.0.1:${metrics}`],
    ["listen 80;", `listen 127.0.0.1:${plain};`],
    ["listen 443 ssl", `listen 127.0.0.1:${secure} ssl`],
    ["/srv/fruit-values/deploy/", `${root}/srv/deploy/`],
    ["/srv/fruit-values", REPOSITORY],
    ["/mnt/other", `${parent}/other`],
    ["/etc/", `${root}/etc/`],
    ["/var/lib/", `${root}/var/lib/`],
    ["/run/", `${root}/run/`],
  ];
  const used = new Set<string>();
  const here = (text: string) => {
    for (const [from] of table) if (text.includes(from)) used.add(from);
    // A single pass, so that substituted text is not substituted again.
    const any = new RegExp(table.map(([from]) => from.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("|"), "g");
    return text.replace(any, (from) => table.find(([each]) => each === from)?.[1] ?? from);
  };
  setUp(root, here);
  mkdirSync(join(parent, "other"), { recursive: true });
  const path = `${root}/bin:${process.env.PATH}`;
  const { HOME = root, NODE_COMPILE_CACHE } = process.env;
  const env = { PATH: path, HOME, MACHINE: root, TMPDIR: `${root}/tmp`, NODE_COMPILE_CACHE };
  const kill = () => {
    for (const pid of runningOn(root)) {
      try {
        process.kill(pid, "SIGKILL");
      } catch {
        // It exited together with another process.
      }
    }
  };
  return {
    address,
    mailPort: mail as number,
    pathOf: here,
    unused: () => table.map(([from]) => from).filter((from) => !used.has(from)),
    follow: (commands) => run(here(commands), env, root),
    die() {
      kill();
      renameSync(root, join(parent, "dead"));
      setUp(root, here);
    },
    stop: kill,
  };
}

function run(commands: string, env: NodeJS.ProcessEnv, root: string): Promise<string> {
  return new Promise((done, fail) => {
    const child = spawn("/bin/sh", ["-eu", "-c", commands], {
      env,
      cwd: "/",
      stdio: ["ignore", "pipe", "pipe"],
      detached: true,
    });
    let output = "";
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding("utf8").on("data", (text) => {
        output += text;
      });
    // Stops waiting for an answer once the site has died.
    const watch = setInterval(() => {
      const why = whatEnded(root);
      if (why === null) return;
      output += why;
      process.kill(-(child.pid as number), "SIGKILL");
    }, 200);
    child.once("error", fail);
    child.once("close", (code) => {
      clearInterval(watch);
      if (code === 0) done(output);
      else fail(new Error(`${commands}\nended with ${code}:\n${output}`));
    });
  });
}

/** The last output of a service that was started and has exited; null if all are running. */
function whatEnded(root: string): string | null {
  for (const service of ["nginx", "fruit-values"]) {
    const note = join(root, "run", `${service}.pid`);
    const pid = existsSync(note) ? Number(readFileSync(note, "utf8")) : 0;
    if (pid && !isRunning(pid))
      return `${service}: ${readFileSync(join(root, "tmp", `${service}.log`), "utf8")}`;
  }
  return null;
}

/** Sets up what an installed Debian has, and stand-ins for commands that would change the host machine. */
function setUp(root: string, here: (text: string) => string): void {
  for (const folder of ["bin", "tmp", "run", "var/lib", "etc/systemd/system", "srv/deploy"])
    mkdirSync(join(root, folder), { recursive: true });
  chmodSync(join(root, "tmp"), 0o1777);
  for (const name of readdirSync(join(REPOSITORY, "deploy")))
    writeFileSync(
      join(root, "srv/deploy", name),
      here(readFileSync(join(REPOSITORY, "deploy", name), "utf8")),
    );
  const nginx = `-p ${root} -c ${root}/etc/nginx/nginx.conf`;
  const stands: Record<string, string> = {
    "apt-get": `[ "$1 $2" = "install --yes" ] && shift 2 && for package; do mkdir --parents "${root}/etc/$package"; done
      mkdir --parents ${root}/etc/nginx/sites-enabled`,
    useradd: 'for name; do :; done; [ "$name" = fruit-values ]',
    chown: 'for path; do :; done; [ -e "$path" ]',
    systemctl: `exec ${process.execPath} ${SYSTEMD} systemctl "$@"`,
    "systemd-run": `exec ${process.execPath} ${SYSTEMD} systemd-run "$@"`,
    nginx: `exec ${NGINX} ${nginx} "$@"`,
  };
  for (const [name, script] of Object.entries(stands))
    writeFileSync(join(root, "bin", name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  mkdirSync(join(root, "etc/nginx"));
  writeFileSync(
    join(root, "etc/nginx/nginx.conf"),
    mainNginxConfig(root, `include ${root}/etc/nginx/sites-enabled/*;`),
  );
}

/** Every process of the machine, including children of services. */
function runningOn(root: string): number[] {
  const noted = readdirSync(join(root, "run")).filter((name) => name.endsWith(".pid"));
  const first = noted.map((name) => Number(readFileSync(join(root, "run", name), "utf8")));
  const data = join(root, "var/lib/fruit-values");
  if (existsSync(join(data, "postgres/postmaster.pid"))) first.push(postmasterOf(data));
  return first.filter(isRunning).flatMap((pid) => [pid, ...childrenOf(pid)]);
}

function childrenOf(pid: number): number[] {
  const file = `/proc/${pid}/task/${pid}/children`;
  if (!existsSync(file)) return [];
  const own = readFileSync(file, "utf8").trim().split(" ").filter(Boolean).map(Number);
  return own.flatMap((child) => [child, ...childrenOf(child)]);
}
