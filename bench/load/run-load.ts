import { execFile } from "node:child_process";
import { cpus } from "node:os";
import { fileURLToPath } from "node:url";

export type Load = { count: number; perSecond: number; p50Ms: number; p99Ms: number };

const generator = fileURLToPath(new URL("generate-load.ts", import.meta.url));

/**
 * Keeps `connections` requests in flight for some seconds, from a separate process on the last core, away from the
 * server's. Rejects if a response is not 200, or a connection breaks.
 */
export async function runLoad(
  { url, headers }: { url: string; headers: Record<string, string> },
  { seconds, connections }: { seconds: number; connections: number },
): Promise<Load> {
  const task = JSON.stringify({ url, headers, seconds, connections });
  const output = await run([process.execPath, generator, task], cpus().length - 1);
  return JSON.parse(output);
}

function run(command: string[], core: number): Promise<string> {
  const [program = "", ...args] = pinned(command, core);
  return new Promise((resolve, reject) => {
    execFile(program, args, (error, out, problems) =>
      error ? reject(new Error(problems || error.message)) : resolve(out),
    );
  });
}

/** The command, pinned to one core if the system supports that. */
export function pinned(command: string[], core: number): string[] {
  return process.platform === "linux" && cpus().length > 1
    ? ["taskset", "-c", String(core), ...command]
    : command;
}
