import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpus } from "node:os";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import type { ChatLoad, ChatTask } from "./generate-chat.ts";
import { pinned } from "./run-load.ts";

const generator = fileURLToPath(new URL("generate-chat.ts", import.meta.url));

/** Simulates a chat room's clients from a separate process on the last core. Rejects if a client is refused. */
export async function runChat(task: ChatTask): Promise<ChatLoad> {
  const [program = "", ...args] = pinned([process.execPath, generator], cpus().length - 1);
  const child = spawn(program, args, { stdio: ["pipe", "pipe", "pipe"] });
  child.stdin.end(JSON.stringify(task));
  const [output, problems, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, "exit"),
  ]);
  if (code !== 0) throw new Error(problems);
  return JSON.parse(output);
}
