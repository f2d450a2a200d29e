import type { Crew } from "#backend/memory/crew.ts";
import { shareFacts } from "./crew-facts.ts";

/** What a process counted, in Prometheus's form, and which it is. */
type Figures = { place: number; startedAt: number; text: string };

/** Gives how to read the figures of all processes, whichever is asked: each series is labeled with its worker. */
export function shareFigures(crew: Crew, own: () => Promise<string>): () => Promise<string> {
  const readAll = shareFacts<Figures>(crew, "figures", async () => ({
    place: crew.place,
    startedAt: performance.timeOrigin,
    text: await own(),
  }));
  return async () => (crew.size === 1 ? own() : joinFigures(await readAll()));
}

/** While a process takes another one's place both answer: then the younger one counts. */
function joinFigures(all: readonly Figures[]): string {
  const byPlace = new Map<number, Figures>();
  for (const each of all.toSorted((one, other) => one.startedAt - other.startedAt))
    byPlace.set(each.place, each);
  // All series of one name stand together, below what is said of it once.
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
