import { type Bindings, pino } from "pino";
import { boundLines, type Level } from "./bounded-lines.ts";
import { currentRequestId } from "./request-id.ts";
import type { Sentence } from "./sentence.ts";

export type LogFormat = "human" | "json";

/** Takes a line for the operator, `info` unless said otherwise. It names no secret, no address and no person. */
export type Log = (line: Sentence, level?: Level) => void;

/** An answered request, as the access log tells of it. */
export type AnsweredRequest = {
  /** By which the other lines about it name it. */
  request: string | undefined;
  method: Sentence;
  /** Such as `/fruits/:slug`; the address itself may name a person or hold a secret. */
  route: Sentence;
  status: number;
  /** Until the answer's end. */
  ms: number;
};

export type LogOptions = {
  format: LogFormat;
  /** Whether repeated lines are left out and counted; true unless said otherwise. */
  isBounded?: boolean;
  /** Takes whole lines with their end; the console unless said otherwise. */
  write?: (text: string) => void;
  /** Gets each line of level error that is written, and the id of the request that it is about. */
  onError?: (line: Sentence, request: string | undefined) => void;
};

const LONGEST_LINE = 2_000;

/** The log of this process: each line with its time, its level and the id of the request that it is about. */
export function createLog({ format, isBounded = true, write = toConsole, onError }: LogOptions): Log {
  const logger = openLogger(format, write);
  const writeLine = (level: Level, line: Sentence, request: string | undefined) => {
    logger[level]({ request }, line.slice(0, LONGEST_LINE));
    if (level === "error") onError?.(line, request);
  };
  const bounded = isBounded ? boundLines(writeLine) : writeLine;
  return (line, level = "info") => bounded(level, line, currentRequestId());
}

/** A line for each answer, for operators who want that: none is left out. */
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

/** The same for a reader: one line whatever is in the message, so that none can be forged. */
function toHuman(json: string): string {
  const { time, level, request, message } = JSON.parse(json) as Bindings;
  const about = request ? ` request=${request}` : "";
  // biome-ignore lint/suspicious/noControlCharactersInRegex: terminals obey them
  return `${time} ${level}${about} ${String(message).replace(/[\u0000-\u001f\u007f-\u009f]+/g, " ")}\n`;
}
