import type { Context } from "./context.ts";

/** Metrics in Prometheus's text format. */
export function describeFigures(context: Context): string {
  const { count, seconds } = context.delays;
  const losses = context.changes?.losses() ?? { gaps: 0, dropped: 0 };
  return [
    figure("realtime_connections_connected", "gauge", "Open sockets of this process", context.countSockets()),
    figure(
      "realtime_connections_limit_concurrent",
      "gauge",
      "Open sockets at most",
      context.config.maxConnections,
    ),
    figure(
      "realtime_replication_connected",
      "gauge",
      "Whether changes arrive",
      Number(context.isFollowing()),
    ),
    "# HELP realtime_change_delay_seconds From a change's commit until it is here.\n",
    "# TYPE realtime_change_delay_seconds summary\n",
    `realtime_change_delay_seconds_sum ${seconds}\nrealtime_change_delay_seconds_count ${count}\n`,
    figure("realtime_gaps_total", "counter", "How often changes may have been missed", losses.gaps),
    figure("realtime_losses_total", "counter", "How often changes could not be sent", losses.dropped),
    figure(
      "realtime_notes_total",
      "counter",
      "Clients cut off and requests refused",
      context.journal.noted(),
    ),
  ].join("");
}

function figure(name: string, type: "gauge" | "counter", help: string, value: number): string {
  return `# HELP ${name} ${help}.\n# TYPE ${name} ${type}\n${name} ${value}\n`;
}
