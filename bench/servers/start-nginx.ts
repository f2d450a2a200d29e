import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { pinned } from "../load/run-load.ts";

const PROGRAMS = ["nginx", "/usr/sbin/nginx"];

/** The machine's own nginx with one worker, on the first core, serving the folder; null where there is none. */
export async function startNginx(folder: string): Promise<{ url: string; stop(): Promise<void> } | null> {
  const program = PROGRAMS.find((name) => spawnSync(name, ["-v"]).error === undefined);
  if (program === undefined) return null;
  const own = await mkdtemp(join(folder, "nginx-"));
  const port = await freePort();
  const file = join(own, "nginx.conf");
  await writeFile(file, configure(folder, own, port));
  const [command = "", ...args] = pinned([program, "-p", own, "-c", file], 0);
  const child = spawn(command, args, { stdio: "ignore" });
  const url = `http://127.0.0.1:${port}`;
  for (let tries = 0; tries < 100 && !(await fetch(url).catch(() => null)); tries++) await pause(20);
  return {
    url,
    async stop() {
      const ended = once(child, "exit");
      child.kill("SIGTERM");
      await ended;
      await rm(own, { recursive: true, force: true });
    },
  };
}

function configure(folder: string, own: string, port: number): string {
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
    (name) => `${name}_temp_path ${own};`,
  );
  return `daemon off; master_process off; worker_processes 1; pid ${own}/pid; error_log ${own}/errors;
    events { worker_connections 1024; }
    http {
      access_log off; sendfile on; tcp_nopush on; keepalive_requests 1000000000; ${temporary.join(" ")}
      server { listen 127.0.0.1:${port}; root ${folder}; default_type text/plain; }
    }`;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
