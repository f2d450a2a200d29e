import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
/** Matches the line printed by the whole site and by the services alone. */
const OPEN = /(?:is open|^Serving .*) at (http:\/\/[^\s/]+)/m;

/** One of our servers in its own process. */
export type ServerProcess = {
  /** Its base URL. */
  address: string;
  pid: number;
  /** Everything it has printed so far. */
  output(): string;
  /** Asks it to stop; resolves with its exit code. */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
};

/** The process exited before it answered; the message is its output. */
export class ServerEndedError extends Error {
  readonly code: number | null;
  constructor(output: string, code: number | null) {
    super(output);
    this.code = code;
  }
}

export type ServerProcessOptions = {
  env?: Record<string, string>;
  cwd?: string;
  command?: string[];
  /** Number of the user and group to run as; root only. */
  user?: number;
  /** Called as soon as the process is spawned, long before it answers. */
  begun?: (pid: number) => void;
};

/**
 * Starts the built site on a free port and resolves once it reports that it is open. Our own environment does not leak
 * in.
 */
export async function startServer({
  env = {},
  cwd = ROOT,
  command,
  user,
  begun,
}: ServerProcessOptions = {}): Promise<ServerProcess> {
  const [program = "", ...args] = command ?? [process.execPath, "server/main.ts"];
  const { PATH, HOME, TMPDIR, NODE_COMPILE_CACHE } = process.env;
  // One process unless a test asks for more.
  const defaults = { NODE_ENV: "production", PORT: "0", HOST: "127.0.0.1", WORKERS: "1" };
  const inherited = {
    PATH,
    HOME,
    ...(TMPDIR && { TMPDIR }),
    ...(NODE_COMPILE_CACHE && { NODE_COMPILE_CACHE }),
  };
  const child = spawn(program, args, {
    cwd,
    env: { ...inherited, ...defaults, ...env },
    stdio: ["ignore", "pipe", "pipe"],
    ...(user === undefined ? {} : { uid: user, gid: user }),
  });
  if (child.pid) begun?.(child.pid);
  // Kills the child if the test process exits without stopping it.
  const stopWithUs = () => child.kill();
  process.once("exit", stopWithUs);
  child.once("exit", () => process.removeListener("exit", stopWithUs));
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      output += text;
    });
  }
  const address = await readAddress(child, () => output);
  return {
    address,
    pid: child.pid as number,
    output: () => output,
    async stop(signal = "SIGTERM") {
      if (child.exitCode === null && child.signalCode === null) {
        const ended = once(child, "exit");
        child.kill(signal);
        await ended;
      }
      return child.exitCode;
    },
  };
}

function readAddress(child: ChildProcess, output: () => string): Promise<string> {
  return new Promise((resolve, reject) => {
    child.stdout?.on("data", () => {
      const address = OPEN.exec(output())?.[1];
      if (address) resolve(address);
    });
    child.once("error", reject);
    child.once("close", (code) => reject(new ServerEndedError(output().trim(), code)));
  });
}
