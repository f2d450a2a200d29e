import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { createClient } from "@supabase/supabase-js";
import { readAnonKey } from "#tests/helpers/anon-key.ts";
import { freePort } from "#tests/helpers/free-port.ts";
import type { Engine } from "./engine.ts";

const PATIENCE_MS = 180_000;
const NAME = "site";
/** The options of compose.yaml besides ports and settings. */
const AS_COMPOSE_HAS_IT = [
  "--read-only",
  "--tmpfs=/tmp",
  "--shm-size=256m",
  "--cap-drop=all",
  "--security-opt=no-new-privileges",
  "--volume=data:/data",
  "--init",
];
/** Far more than it needs; podman's defaults would fail the start where the limits cannot be raised. */
const LIMITS = ["--ulimit=nofile=4096:4096", "--ulimit=nproc=4096:4096"];
const PERSON = { email: "ann@example.com", password: "Calm-tiger-7-swims-far" };

type Container = {
  address: string;
  inside(...command: string[]): Promise<string>;
  /** Waits until its own health check passes; returns the seconds that took. */
  untilHealthy(): Promise<string>;
};

/** Runs the built image as compose.yaml does; prints measurements and returns the problems found. */
export async function tryImage({ podman }: Engine): Promise<string[]> {
  const [image] = JSON.parse(await podman("image", "inspect", NAME));
  console.error(`Image of ${Math.round(image.Size / 1e6)} MB`);
  const container = await start(podman);
  const findings: string[] = [];
  try {
    console.error(`First start: healthy after ${await container.untilHealthy()}`);
    for (const line of await listSizes(container)) console.error(`  ${line}`);
    await judgePage(container, findings);
    await judgeFiles(container, findings);
    await judgeEnds({ podman, container, key: await readAnonKey(container.address) }, findings);
  } catch (error) {
    findings.push(`${(error as Error).message} ${await podman("logs", NAME)}`);
  } finally {
    await podman("rm", "--force", "--time=0", NAME);
  }
  return findings;
}

async function start(podman: Engine["podman"]): Promise<Container> {
  const port = String(await freePort());
  const network = ["--network=host", "--cgroups=disabled", `--env=PORT=${port}`];
  // podman's health checks rely on systemd timers; here the test runs them.
  const ways = ["--detach", "--no-healthcheck", `--name=${NAME}`, ...network, ...LIMITS];
  await podman("run", ...ways, ...AS_COMPOSE_HAS_IT, NAME);
  const [image] = JSON.parse(await podman("image", "inspect", NAME));
  const [, ...check] = image.Healthcheck.Test as string[];
  const isHealthy = () =>
    podman("exec", NAME, ...check).then(
      () => true,
      () => false,
    );
  return {
    address: `http://127.0.0.1:${port}`,
    inside: (...command) => podman("exec", NAME, ...command),
    async untilHealthy() {
      const began = Date.now();
      while (!(await isHealthy())) {
        if (Date.now() - began > PATIENCE_MS) throw new Error("it does not become healthy");
        await sleep(100);
      }
      return `${((Date.now() - began) / 1000).toFixed(1)} s`;
    },
  };
}

/** Checks the page a visitor gets. */
async function judgePage({ address }: Container, findings: string[]): Promise<void> {
  const page = await (await fetch(`${address}/values`)).text();
  if (!page.includes("Kitsune")) findings.push("the list of values has no Kitsune");
  const style = /href="(\/assets\/[^"]+\.css)"/.exec(page)?.[1];
  const { status } = await fetch(address + style);
  if (status !== 200) findings.push(`the page's style is answered ${status}`);
}

/** It writes only to its data folder, runs as non-root, and contains nothing that a start does not read. */
async function judgeFiles({ inside }: Container, findings: string[]): Promise<void> {
  const user = await inside("id", "-u");
  if (user !== "10001") findings.push(`it runs as ${user}`);
  const written = await inside("sh", "-c", "for f in /app /data /etc; do touch $f/x && echo $f; done; true");
  if (written !== "/data") findings.push(`it can write to ${written}`);
  await inside("rm", "/data/x");
  const names = (await inside("ls", "-A", "/app")).split("\n");
  const copied = readFileSync("Dockerfile", "utf8").matchAll(/^COPY .* \.\/(\S+)$/gm);
  const known = new Set([...[...copied].map(([, name]) => name), "package.json", "package-lock.json"]);
  findings.push(...names.filter((name) => !known.has(name)).map((name) => `${name} is in it`));
  const packages = new Set(
    (await inside("find", "node_modules", "-maxdepth", "2", "-type", "d")).split("\n"),
  );
  findings.push(
    ...forDevelopment()
      .filter((each) => packages.has(each))
      .map((each) => `${each} is in it`),
  );
  const tests = await inside("find", "/app", "-name", "*.test.ts*", "-not", "-path", "*/node_modules/*");
  if (tests !== "") findings.push(`tests are in it: ${tests}`);
}

/** Packages not needed at run time, including optional peers that only development installs. */
function forDevelopment(): string[] {
  const { packages } = JSON.parse(readFileSync("package-lock.json", "utf8")) as {
    packages: Record<string, { dev?: boolean; devOptional?: boolean }>;
  };
  return Object.keys(packages).filter((name) => packages[name]?.dev || packages[name]?.devOptional);
}

type Running = { podman: Engine["podman"]; container: Container; key: string };

/** Stored data survives `kill -9`, a stop is clean, and another container can continue with the same volume. */
async function judgeEnds({ podman, container, key }: Running, findings: string[]): Promise<void> {
  const made = await accountsOf(container, key).signUp(PERSON);
  if (made.error) findings.push(`nobody can sign up: ${made.error.message}`);
  await podman("kill", "--signal=KILL", NAME);
  await podman("wait", NAME);
  await podman("start", NAME);
  console.error(`After kill -9: healthy after ${await container.untilHealthy()}`);
  await judgeStored("kill -9", container, key, findings);

  const backup = "/data/backups/first";
  await container.inside("node_modules/.bin/node", "server/commands/back-up.ts", backup);
  const kept = await container.inside("ls", backup);
  if (!kept.includes("backup.json")) findings.push("no backup can be made in it");

  const began = Date.now();
  await podman("stop", "--time=30", NAME);
  console.error(`Stopped in ${((Date.now() - began) / 1000).toFixed(1)} s`);
  const [{ State: state }] = JSON.parse(await podman("container", "inspect", NAME));
  if (state.ExitCode !== 0) findings.push(`it does not stop in order: ${state.ExitCode}`);
  await podman("rm", NAME);
  const next = await start(podman);
  console.error(`Another container on the same volume: healthy after ${await next.untilHealthy()}`);
  await judgeStored("another container", next, key, findings);
}

const accountsOf = ({ address }: Container, key: string) =>
  createClient(address, key, { auth: { persistSession: false, autoRefreshToken: false } }).auth;

async function judgeStored(since: string, container: Container, key: string, findings: string[]) {
  const { error } = await accountsOf(container, key).signInWithPassword(PERSON);
  if (error) findings.push(`after ${since}, what was stored before is lost: ${error.message}`);
}

/** The largest parts first, in megabytes. */
async function listSizes({ inside }: Container): Promise<string[]> {
  const within = "/app/node_modules";
  // A single `du` run counts hard-linked files only once.
  const script = `{ du -sm /usr /app/*; du -sm ${within}/[a-z]* ${within}/@*; } | sort -rn`;
  return (await inside("sh", "-c", script)).split("\n").slice(0, 14);
}
