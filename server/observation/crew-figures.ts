import type { Crew } from "#backend/memory/crew.ts";
import { shareFacts } from "./crew-facts.ts";

/** One process's metrics in Prometheus format, and which worker it is. */
type Figures = { place: number; startedAt: number; text: string };

/** Returns a function that reads the metrics of all processes from any of them, each series labeled with its worker. */
export function shareFigures(crew: Crew, own: () => Promise<string>): () => Promise<string> {
  const readAll = shareFacts<Figures>(crew, "figures", async () => ({
    place: crew.place,
    startedAt: performance.timeOrigin,
    text: await own(),
  }));
  return async () => (crew.size === 1 ? own() : joinFigures(await readAll()));
}

/** While a process is being replaced both answer: then the younger one counts. */
function joinFigures(all: readonly Figures[]): string {
  const byPlace = new Map<number, Figures>();
  for (const each of all.toSorted((one, other) => one.startedAt - other.startedAt))
    byPlace.set(each.place, each);
  // Prometheus wants all series of a metric together, below a single HELP and TYPE.
  const families = new Map<string, { about: Set<string>; series: string[] }>();
  for (const { place, text } of [...byPlace.values()].toSorted((one, other) => one.place - other.place)) {
    let family = { about: new Set<string>(), series: [] as string[] };
    for (const line of text.split("\n")) {
      const name = /^# (?:HELP|TYPE) (\S+)/.exec(line)?.[1];
      if (name) {
        family = families.get(name) ?? { about: new Set(), series: [] };
        families.set(name, family);
        family.about.add(line);
      } else if (line !== "") family.series.push(withWorker(line, place));
    }
  }
  const lines = [...families.values()].flatMap(({ about, series }) => [...about, ...series]);
  return `${lines.join("\n")}\n`;
}

function withWorker(series: string, place: number): string {
  return series.replace(/^([\w:]+)(\{)?/, (_, name, opened) =>
    opened ? `${name}{worker="${place}",` : `${name}{worker="${place}"}`,
  );
}
