import type { ProcessGroup } from "#backend/memory/process-group.ts";
import { shareFacts } from "./process-facts.ts";

/** One process's metrics in Prometheus format, and which worker it is. */
type Figures = { index: number; startedAt: number; text: string };

/** Returns a function that reads the metrics of all processes from any of them, each series labeled with its worker. */
export function shareFigures(processGroup: ProcessGroup, own: () => Promise<string>): () => Promise<string> {
  const readAll = shareFacts<Figures>(processGroup, "figures", async () => ({
    index: processGroup.index,
    startedAt: performance.timeOrigin,
    text: await own(),
  }));
  return async () => (processGroup.size === 1 ? own() : joinFigures(await readAll()));
}

/** While a process is being replaced both answer: then the younger one counts. */
function joinFigures(all: readonly Figures[]): string {
  const byIndex = new Map<number, Figures>();
  for (const each of all.toSorted((one, other) => one.startedAt - other.startedAt))
    byIndex.set(each.index, each);
  // Prometheus wants all series of a metric together, below a single HELP and TYPE.
  const families = new Map<string, { about: Set<string>; series: string[] }>();
  for (const { index, text } of [...byIndex.values()].toSorted((one, other) => one.index - other.index)) {
    let family = { about: new Set<string>(), series: [] as string[] };
    for (const line of text.split("\n")) {
      const name = /^# (?:HELP|TYPE) (\S+)/.exec(line)?.[1];
      if (name) {
        family = families.get(name) ?? { about: new Set(), series: [] };
        families.set(name, family);
        family.about.add(line);
      } else if (line !== "") family.series.push(withWorker(line, index));
    }
  }
  const lines = [...families.values()].flatMap(({ about, series }) => [...about, ...series]);
  return `${lines.join("\n")}\n`;
}

function withWorker(series: string, index: number): string {
  return series.replace(/^([\w:]+)(\{)?/, (_, name, opened) =>
    opened ? `${name}{worker="${index}",` : `${name}{worker="${index}"}`,
  );
}
