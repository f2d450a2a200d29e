import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { LEAN_ENVIRONMENT, LEAN_FLAGS } from "#scripts/keep-memory-low.mjs";
import { pinned } from "../load/run-load.ts";

export type StartedServer = { url: string; pid: number; stop(): Promise<void> };

/**
 * Runs one of this folder's servers in a separate process on the first core, with Node's settings of `npm start` and
 * with `task` on its stdin.
 */
export async function startServer(name: string, task: unknown): Promise<StartedServer> {
  const file = fileURLToPath(new URL(`${name}.ts`, import.meta.url));
  return startProcess([process.execPath, ...LEAN_FLAGS, file], /^listening (http:\S+)$/m, LEAN_ENVIRONMENT, {
    input: JSON.stringify(task),
  });
}

/**
 * Runs a command, on the first core unless it may use all, until it prints its address; shows its output if it exits
 * before.
 */
export async function startProcess(
  command: string[],
  address: RegExp,
  environment: Record<string, string>,
  { input = "", isPinned = true } = {},
): Promise<StartedServer> {
  const [program = "", ...args] = isPinned ? pinned(command, 0) : command;
  const env = { ...process.env, NODE_ENV: "production", ...environment };
  const child = spawn(program, args, { env, stdio: ["pipe", "pipe", "pipe"] });
  child.stdin.end(input);
  const url = await findAddress(child, address);
  return {
    url,
    pid: child.pid as number,
    async stop() {
      const ended = once(child, "exit");
      child.kill("SIGTERM");
      await ended;
    },
  };
}

function findAddress(child: ChildProcess, address: RegExp): Promise<string> {
  let printed = "";
  return new Promise((resolve, reject) => {
    const read = (text: string) => {
      printed += text;
      const found = address.exec(printed)?.[1];
      if (found) resolve(found);
    };
    child.stdout?.setEncoding("utf8").on("data", read);
    child.stderr?.setEncoding("utf8").on("data", read);
    child.once("exit", (code) => reject(new Error(`the server ended with ${code}:\n${printed}`)));
  });
}
