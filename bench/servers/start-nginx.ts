import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { pinned } from "../load/run-load.ts";
import { freePort } from "./free-port.ts";
import type { StartedServer } from "./start-server.ts";

const PROGRAMS = ["nginx", "/usr/sbin/nginx"];

/** The machine's nginx with one worker, on the first core, serving the folder; null if not installed. */
export async function startNginx(folder: string): Promise<StartedServer | null> {
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
    pid: child.pid as number,
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
