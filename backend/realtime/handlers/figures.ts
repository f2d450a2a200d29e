import type { Context } from "./context.ts";

/** Metrics in Prometheus's text format. */
export function describeFigures({ config, changes, delays, journal, ...context }: Context): string {
  const { gaps, dropped } = changes?.losses() ?? { gaps: 0, dropped: 0 };
  return [
    gauge("realtime_connections_connected", "Open sockets of this process", context.countSockets()),
    gauge("realtime_connections_limit_concurrent", "Open sockets at most", config.maxConnections),
    gauge("realtime_replication_connected", "Whether changes arrive", Number(context.isFollowing())),
    "# HELP realtime_change_delay_seconds From a change's commit until it is here.\n",
    "# TYPE realtime_change_delay_seconds summary\n",
    `realtime_change_delay_seconds_sum ${delays.seconds}\nrealtime_change_delay_seconds_count ${delays.count}\n`,
    counter("realtime_gaps_total", "How often changes may have been missed", gaps),
    counter("realtime_losses_total", "How often changes could not be sent", dropped),
    counter("realtime_notes_total", "Clients cut off and requests refused", journal.noted()),
  ].join("");
}

const metric = (type: string) => (name: string, help: string, value: number) =>
  `# HELP ${name} ${help}.\n# TYPE ${name} ${type}\n${name} ${value}\n`;
const gauge = metric("gauge");
const counter = metric("counter");
