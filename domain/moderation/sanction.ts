import * as v from "valibot";
import { LIMITS } from "../text/limits.ts";
import { neededText } from "../text/text-schema.ts";
import { REPORT_CODES } from "./report-code.ts";

const HOUR = 60 * 60_000;
const DAY = 24 * HOUR;

/** Durations in milliseconds; the last one never ends. */
const LENGTHS = {
  "10 minutes": HOUR / 6,
  "1 hour": HOUR,
  "1 day": DAY,
  "1 week": 7 * DAY,
  "30 days": 30 * DAY,
  Forever: Number.POSITIVE_INFINITY,
} as const;

export type SanctionLength = keyof typeof LENGTHS;
const ALL = Object.keys(LENGTHS) as SanctionLength[];

/** The possible sanctions; the database has the same list. */
export const SANCTIONS = ["message", "silence", "rename", "picture", "comment", "ban"] as const;
export type SanctionKind = (typeof SANCTIONS)[number];

/** The durations a sanction may have; none for one-time actions. */
export function lengthsOf(kind: SanctionKind): readonly SanctionLength[] {
  if (kind === "silence") return ALL.filter((length) => length !== "30 days");
  if (kind === "ban") return ALL.filter((length) => LENGTHS[length] >= DAY);
  return [];
}

/** When a sanction that starts now ends, as a database timestamp. */
export function sanctionEnd(length: SanctionLength, now: number): string {
  const end = now + LENGTHS[length];
  return Number.isFinite(end) ? new Date(end).toISOString() : "infinity";
}

const { max } = LIMITS.sanction.reason;

/** The sanction form. */
export const sanctionSchema = v.object({
  length: v.optional(v.picklist(ALL, "Choose how long")),
  code: v.picklist(REPORT_CODES, "Choose why"),
  subject: v.optional(v.string()),
  reason: neededText(max, "Reason is required", `Reason must be at most ${max} characters`),
});

export type SanctionInput = v.InferOutput<typeof sanctionSchema>;
