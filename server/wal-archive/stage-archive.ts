import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { copyFile } from "node:fs/promises";
import { join } from "node:path";
import { parseLsn } from "#backend/postgres/lsn.ts";
import { StartError } from "../configuration/start-error.ts";
import {
  HISTORY_NAME,
  historyName,
  lastOf,
  PARTIAL,
  parseSegment,
  type Segment,
  segmentName,
  segmentOf,
} from "./segments.ts";

/** The part of an archive that continues a backup. */
export type ContinuingArchive = { folder: string; segments: Segment[]; histories: string[]; last: bigint };

/**
 * Finds the WAL that follows a backup with this cluster. @throws StartError if a segment is missing, since all later
 * WAL would silently be left out
 */
export function findArchive(archive: string, cluster: string): ContinuingArchive {
  const names = readNames(archive);
  const segments = chooseSegments(archive, names, readBegin(cluster));
  const last = segments.at(-1);
  if (!last)
    throw new StartError(
      `${archive} has nothing that continues this backup: without WAL_ARCHIVE_TO the backup alone is restored.`,
    );
  const histories = names.filter((each) => HISTORY_NAME.test(each));
  return { folder: archive, segments, histories, last: last.number };
}

/** Copies the WAL into the restored cluster's folder, from which PostgreSQL recovers to the end of the archive. */
export async function stageArchive(
  { folder, segments, histories }: ContinuingArchive,
  cluster: string,
): Promise<void> {
  for (const { timeline, number, isPartial } of segments) {
    const name = segmentName(timeline, number);
    await copyFile(join(folder, isPartial ? name + PARTIAL : name), join(cluster, "pg_wal", name));
  }
  for (const name of histories) await copyFile(join(folder, name), join(cluster, "pg_wal", name));
  writeFileSync(join(cluster, "recovery.signal"), "", { mode: 0o600 });
}

function readNames(archive: string): string[] {
  try {
    return readdirSync(archive);
  } catch (error) {
    throw new StartError(`WAL_ARCHIVE_TO cannot be read: ${(error as Error).message}.`);
  }
}

type Begin = { timeline: number; number: bigint };

/** Where the backup's own WAL begins: `START WAL LOCATION: 0/2000028 (file 000000010000000000000002)`. */
function readBegin(cluster: string): Begin {
  const label = readFileSync(join(cluster, "backup_label"), "utf8");
  const [, lsn = "0/0"] = /^START WAL LOCATION: (\S+)/m.exec(label) ?? [];
  const [, timeline = "1"] = /^START TIMELINE: (\d+)/m.exec(label) ?? [];
  return { timeline: Number(timeline), number: segmentOf(parseLsn(lsn)) };
}

/** One segment per number, without a gap, on the timelines that lead to the latest. */
function chooseSegments(archive: string, names: string[], begin: Begin): Segment[] {
  const found = findSegments(names, begin);
  const all = [...found.values()];
  const latest = Math.max(begin.timeline, ...all.map(({ timeline }) => timeline));
  const ends = readEnds(archive, names, latest);
  const wanted: Segment[] = [];
  let number = begin.number;
  for (let timeline = begin.timeline; timeline <= latest; timeline++) {
    // Skips timelines that the latest one does not descend from.
    const last = timeline < latest ? ends.get(timeline) : lastOf(all, timeline);
    if (last == null) continue;
    for (; number <= last; number++) {
      const segment = found.get(`${timeline} ${number}`);
      if (!segment) throw missing(archive, segmentName(timeline, number));
      wanted.push(segment);
    }
    // The next timeline starts with a copy of the segment in which this one ended.
    if (timeline < latest) number = last;
  }
  return wanted;
}

/** Keyed by timeline and number; complete segments win over partial ones. */
function findSegments(names: string[], begin: Begin): Map<string, Segment> {
  const found = new Map<string, Segment>();
  for (const segment of names.map(parseSegment)) {
    if (!segment || segment.timeline < begin.timeline || segment.number < begin.number) continue;
    const key = `${segment.timeline} ${segment.number}`;
    if (!found.has(key) || !segment.isPartial) found.set(key, segment);
  }
  return found;
}

/** The segment in which each ancestor of the latest timeline ended. */
function readEnds(archive: string, names: string[], latest: number): Map<number, bigint> {
  const name = historyName(latest);
  if (!names.includes(name)) return new Map();
  const lines = readFileSync(join(archive, name), "utf8").matchAll(/^(\d+)\s+([\dA-F]+\/[\dA-F]+)/gm);
  return new Map(
    [...lines].map(([, timeline, lsn]) => [Number(timeline), segmentOf(parseLsn(lsn ?? "0/0"))]),
  );
}

function missing(archive: string, name: string): StartError {
  return new StartError(
    `${archive} has no ${name}, which this backup needs to be continued: take a later backup, or restore this one alone, without WAL_ARCHIVE_TO.`,
  );
}
