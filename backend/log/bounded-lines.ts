import { type LogText, logText } from "./log-text.ts";

export type Level = "info" | "warn" | "error";

export type WriteLine = (level: Level, line: LogText, request: string | undefined) => void;

const WINDOW_MS = 60_000;
/** Maximum lines per window, of one kind and of one level. */
const MOST_OF_A_KIND = 10;
const MOST_OF_A_LEVEL = 100;

type Kind = { level: Level; example: LogText; written: number; omitted: number };

/** Writes a bounded number of lines per minute, then how many of each kind were omitted. */
export function boundLines(write: WriteLine): WriteLine {
  const kinds = new Map<string, Kind>();
  const omittedOthers = new Map<Level, number>();
  const written = new Map<Level, number>();
  let isOpen = false;

  function endWindow(): void {
    isOpen = false;
    for (const { level, example, omitted } of kinds.values())
      if (omitted > 0)
        write(level, logText`${omitted} more lines within a minute like: ${example}`, undefined);
    for (const [level, omitted] of omittedOthers)
      write(level, logText`${omitted} more lines of other kinds within a minute`, undefined);
    for (const counts of [kinds, omittedOthers, written]) counts.clear();
  }

  return (level, line, request) => {
    if (!isOpen) setTimeout(endWindow, WINDOW_MS).unref();
    isOpen = true;
    const name = `${level} ${kindOf(line)}`;
    const kind = kinds.get(name);
    if (kind && kind.written >= MOST_OF_A_KIND) {
      kind.omitted += 1;
      return;
    }
    const ofLevel = written.get(level) ?? 0;
    if (ofLevel >= MOST_OF_A_LEVEL) {
      omittedOthers.set(level, (omittedOthers.get(level) ?? 0) + 1);
      return;
    }
    written.set(level, ofLevel + 1);
    if (kind) kind.written += 1;
    else kinds.set(name, { level, example: line, written: 1, omitted: 0 });
    write(level, line, request);
  };
}

/** Lines that differ only in paths and numbers are of one kind. */
function kindOf(line: string): string {
  return line.replace(/\/\S*/g, "/").replace(/\S*\d\S*/g, "0");
}
