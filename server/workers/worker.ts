import type { SendHandle } from "node:child_process";
import { flushCompileCache } from "node:module";
import type { ProcessGroup } from "#backend/memory/process-group.ts";
import { readConfig } from "../configuration/config.ts";
import { loadEnvFile } from "../configuration/load-env-file.ts";
import { describeFault } from "../configuration/start-error.ts";
import type { Listening } from "../http/listen-on.ts";
import { openLog } from "../observation/open-log.ts";
import { type ServedSite, serveSite } from "../serve-site.ts";
import { joinProcessGroup } from "./join-process-group.ts";
import type { Order, Report, StartMessage } from "./messages.ts";

let starting: Promise<ServedSite> | null = null;
let obey: (order: Order) => void = () => {};
const taken = Promise.withResolvers<Listening | null>();

/** Entry point of a worker process. `supervise-workers.ts` starts it, and it exits when its parent does. */
function main(): void {
  // A terminal or systemd sends these to the whole process group; the first process says when to stop.
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP", "SIGUSR2"]) process.on(signal, () => {});
  process.on("disconnect", () => process.exit(1));
  loadEnvFile();
  process.on("message", (order: Order, socket?: Listening) => {
    if (order.order === "begin") begin(order.start);
    else if (order.order === "stop" || order.order === "retire") void end(order.order);
    else if (order.order === "take") taken.resolve(socket ?? null);
    else if (order.order === "lend") void lend();
    else obey(order);
  });
  send({ report: "ready" });
}

function begin(setup: StartMessage): void {
  const member = joinProcessGroup(setup, send);
  obey = member.obey;
  starting = start(setup, member.processGroup);
  starting.then(({ address, operatorAddress }) => {
    send({ report: "open", address, operatorAddress });
    flushCompileCache();
  }, fail);
}

async function start(
  { database, port, operatorPort, isSuccessor }: StartMessage,
  processGroup: ProcessGroup,
): Promise<ServedSite> {
  const config = readConfig();
  const metrics = config.metrics && operatorPort !== null && { ...config.metrics, port: operatorPort };
  const { log, close } = await openLog(config);
  const site = await serveSite(
    { ...config, port, ...(metrics && { metrics }) },
    { database, processGroup, ...(isSuccessor && { takeOver }) },
    log,
  );
  const endBy = (how: "stop" | "retire") => async () => {
    await site[how]();
    await close();
  };
  return { ...site, stop: endBy("stop"), retire: endBy("retire") };
}

function takeOver(): Promise<Listening | null> {
  send({ report: "prepared" });
  return taken.promise;
}

async function lend(): Promise<void> {
  const site = await starting?.catch(() => null);
  send({ report: "lent" }, site?.listening());
}

async function end(how: "stop" | "retire"): Promise<void> {
  // If it is still waiting for its predecessor's socket, stop waiting.
  taken.resolve(null);
  await starting?.then((site) => site[how]()).catch(() => {});
  process.exit(0);
}

function fail(error: unknown): void {
  const sentence = describeFault(error);
  if (sentence === null) console.error(error);
  process.send?.({ report: "failed", sentence } satisfies Report, undefined, undefined, () =>
    process.exit(1),
  );
}

function send(report: Report, socket?: Listening | null): void {
  // If the first process is gone, this one is about to exit.
  if (process.connected) process.send?.(report, (socket ?? undefined) as SendHandle, undefined, () => {});
}

main();
