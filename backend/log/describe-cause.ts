import type { LogText } from "./log-text.ts";

const MOST_PLACES = 2;

/** An error's type and location, without its message: messages of database and file errors quote values and names. */
export function describeCause(cause: unknown): LogText {
  if (!(cause instanceof Error)) return "a thrown value" as LogText;
  const { code, constraint } = cause as { code?: string; constraint?: string };
  const places = (cause.stack ?? "").split("\n").filter((line) => /^\s+at /.test(line));
  const own = places.filter((line) => !/node:|node_modules/.test(line));
  const shown = (own.length > 0 ? own : places).slice(0, MOST_PLACES).map((line) => line.trim());
  return [cause.name, code, constraint, ...shown].filter(Boolean).join(" ") as LogText;
}
