import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { createClient } from "@supabase/supabase-js";
import { freePort } from "#tests/helpers/free-port.ts";
import type { Engine } from "./engine.ts";

const PATIENCE_MS = 180_000;
const NAME = "site";
/** What compose.yaml asks for beside ports and settings. */
const AS_COMPOSE_HAS_IT = [
  "--read-only",
  "--tmpfs=/tmp",
  "--shm-size=256m",
  "--cap-drop=all",
  "--security-opt=no-new-privileges",
  "--volume=data:/data",
];
const PERSON = { email: "ann@example.com", password: "Calm-tiger-7-swims-far" };

type Container = {
  address: string;
  inside(...command: string[]): Promise<string>;
  /** Until its own health check finds it well; gives the seconds that took. */
  untilHealthy(): Promise<string>;
};

/** Runs the built image as compose.yaml does; prints what it measured, and gives what is wrong. */
export async function tryImage({ podman }: Engine): Promise<string[]> {
  const [image] = JSON.parse(await podman("image", "inspect", NAME));
  console.error(`Image of ${Math.round(image.Size / 1e6)} MB`);
  const container = await start(podman);
  const findings: string[] = [];
  try {
    console.error(`First start: healthy after ${await container.untilHealthy()}`);
    for (const line of await listSizes(container)) console.error(`  ${line}`);
    const key = await judgePage(container, findings);
    await judgeFiles(container, findings);
    await judgeEnd(podman, { container, key }, findings);
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
  await podman("run", "--detach", `--name=${NAME}`, ...network, ...AS_COMPOSE_HAS_IT, NAME);
  const isHealthy = () =>
    podman("healthcheck", "run", NAME).then(
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

/** What a visitor gets; gives the key that the page brings. */
async function judgePage({ address }: Container, findings: string[]): Promise<string> {
  const page = await (await fetch(`${address}/values`)).text();
  if (!page.includes("Kitsune")) findings.push("the list of values has no Kitsune");
  const style = /href="(\/assets\/[^"]+\.css)"/.exec(page)?.[1];
  const { status } = await fetch(address + style);
  if (status !== 200) findings.push(`the page's style is answered ${status}`);
  return /eyJ[\w-]+\.[\w-]+\.[\w-]+/.exec(page)?.[0] ?? "";
}

/** It writes to its data alone, as somebody who is not root, and nothing is in it that a start does not read. */
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
  const tests = await inside("find", "/app", "-name", "*.test.ts*", "-not", "-path", "*/node_modules/*");
  if (tests !== "") findings.push(`tests are in it: ${tests}`);
}

type Running = { container: Container; key: string };

/** What is stored outlives `kill -9`, and a stop is in order. */
async function judgeEnd(
  podman: Engine["podman"],
  { container, key }: Running,
  findings: string[],
): Promise<void> {
  const session = { persistSession: false, autoRefreshToken: false };
  const open = () => createClient(container.address, key, { auth: session });
  const made = await open().auth.signUp(PERSON);
  if (made.error) findings.push(`nobody can sign up: ${made.error.message}`);
  await podman("kill", "--signal=KILL", NAME);
  await podman("wait", NAME);
  await podman("start", NAME);
  console.error(`After kill -9: healthy after ${await container.untilHealthy()}`);
  const again = await open().auth.signInWithPassword(PERSON);
  if (again.error) findings.push(`what was stored before kill -9 is lost: ${again.error.message}`);

  const backup = "/data/backups/first";
  await container.inside("node_modules/.bin/node", "server/commands/back-up.ts", backup);
  const kept = await container.inside("ls", backup);
  if (!kept.includes("backup.json")) findings.push("no backup can be made in it");

  const began = Date.now();
  await podman("stop", "--time=30", NAME);
  console.error(`Stopped in ${((Date.now() - began) / 1000).toFixed(1)} s`);
  const [{ State: state }] = JSON.parse(await podman("container", "inspect", NAME));
  if (state.ExitCode !== 0) findings.push(`it does not stop in order: ${state.ExitCode}`);
}

/** The largest parts first, in megabytes. */
async function listSizes({ inside }: Container): Promise<string[]> {
  const sizes = await inside(
    "sh",
    "-c",
    "du -sm /usr /app/* /app/node_modules/* /app/node_modules/@*/* | sort -rn",
  );
  return sizes.split("\n").slice(0, 14);
}
