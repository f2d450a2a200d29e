import { type Bindings, pino } from "pino";
import { boundLines, type Level } from "./bounded-lines.ts";
import type { LogText } from "./log-text.ts";
import { currentRequestId } from "./request-id.ts";

export type LogFormat = "human" | "json";

/** Logs a line for the operator, at level `info` by default. It must contain no secret, no address and no user data. */
export type Log = (line: LogText, level?: Level) => void;

/** An answered request, for the access log. */
export type AnsweredRequest = {
  /** The request id. */
  request: string | undefined;
  method: LogText;
  /** Such as `/fruits/:slug`; the URL itself may identify a person or contain a secret. */
  route: LogText;
  status: number;
  /** Until the end of the response. */
  ms: number;
};

export type LogOptions = {
  format: LogFormat;
  /** Whether repeated lines are omitted and counted; true by default. */
  isBounded?: boolean;
  /** Gets complete lines including the newline; writes to the console by default. */
  write?: (text: string) => void;
  /** Gets each line of level error that is written, with the request id. */
  onError?: (line: LogText, request: string | undefined) => void;
};

const LONGEST_LINE = 2_000;

/** The process's log: each line has its time, level and request id. */
export function createLog({ format, isBounded = true, write = toConsole, onError }: LogOptions): Log {
  const logger = openLogger(format, write);
  const writeLine = (level: Level, line: LogText, request: string | undefined) => {
    logger[level]({ request }, line.slice(0, LONGEST_LINE));
    if (level === "error") onError?.(line, request);
  };
  const bounded = isBounded ? boundLines(writeLine) : writeLine;
  return (line, level = "info") => bounded(level, line, currentRequestId());
}

/** An access log, for operators who want one: a line per response, none omitted. */
export function createAccessLog({
  format,
  write = toConsole,
}: Pick<LogOptions, "format" | "write">): (answered: AnsweredRequest) => void {
  const logger = openLogger(format, write);
  return ({ request, method, route, status, ms }) =>
    logger.info(
      { request, method, route, status, ms: Number(ms.toFixed(1)) },
      `${method} ${route} ${status} in ${ms.toFixed(1)} ms`,
    );
}

function openLogger(format: LogFormat, write: (text: string) => void) {
  return pino(
    {
      base: null,
      messageKey: "message",
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (level) => ({ level }) },
    },
    { write: format === "json" ? write : (line) => write(toHuman(line)) },
  );
}

function toConsole(text: string): void {
  process.stdout.write(text);
}

/** The same for humans: control characters are replaced, so that a message cannot forge another line. */
function toHuman(json: string): string {
  const { time, level, request, message } = JSON.parse(json) as Bindings;
  const about = request ? ` request=${request}` : "";
  // biome-ignore lint/suspicious/noControlCharactersInRegex: terminals obey them
  return `${time} ${level}${about} ${String(message).replace(/[\u0000-\u001f\u007f-\u009f]+/g, " ")}\n`;
}
