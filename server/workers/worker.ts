import { existsSync } from "node:fs";
import type { Crew } from "#backend/memory/crew.ts";
import { readConfig } from "../configuration/config.ts";
import { describeFault } from "../configuration/start-error.ts";
import { openLog } from "../observation/open-log.ts";
import { type Site, serveSite } from "../serve-site.ts";
import { joinCrew } from "./join-crew.ts";
import type { Beginning, Order, Report } from "./messages.ts";

let starting: Promise<Site> | null = null;
let obey: (order: Order) => void = () => {};

/** One of the processes that serve; `keep-workers.ts` starts them, and they end with the process that did. */
function main(): void {
  // These reach the whole group, at a terminal or from systemd: the first process asks us when it is time.
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP", "SIGUSR2"]) process.on(signal, () => {});
  process.on("disconnect", () => process.exit(1));
  if (existsSync(".env")) process.loadEnvFile(".env");
  process.on("message", (order: Order) => {
    if (order.order === "begin") begin(order.beginning);
    else if (order.order === "stop") void stop();
    else obey(order);
  });
  send({ report: "ready" });
}

function begin(beginning: Beginning): void {
  const member = joinCrew(beginning, send);
  obey = member.obey;
  starting = start(beginning, member.crew);
  starting.then(({ address, operatorAddress }) => send({ report: "open", address, operatorAddress }), fail);
}

async function start({ database, port, place }: Beginning, crew: Crew): Promise<Site> {
  const { metrics, ...config } = readConfig();
  // Each worker tells of itself: the first one at the operator's port, the others at the next ones.
  const own = metrics && { ...metrics, port: metrics.port && metrics.port + place };
  const { log, close } = await openLog(config);
  const site = await serveSite({ ...config, port, ...(own && { metrics: own }) }, { database, crew }, log);
  return {
    ...site,
    async stop() {
      await site.stop();
      await close();
    },
  };
}

async function stop(): Promise<void> {
  await starting?.then((site) => site.stop()).catch(() => {});
  process.exit(0);
}

function fail(error: unknown): void {
  const sentence = describeFault(error);
  if (sentence === null) console.error(error);
  process.send?.({ report: "failed", sentence } satisfies Report, undefined, undefined, () =>
    process.exit(1),
  );
}

function send(report: Report): void {
  // Without the first process there is nobody to tell, and this one ends.
  if (process.connected) process.send?.(report, undefined, undefined, () => {});
}

main();
