import * as v from "valibot";
import { LIMITS, lengthOf } from "../text/limits.ts";

const MINUTE = 60_000;

/** How long an admin can ask a person to be silent in the chat, in milliseconds; the last one has no end. */
export const SILENCES = {
  "10 minutes": 10 * MINUTE,
  "1 hour": 60 * MINUTE,
  "1 day": 24 * 60 * MINUTE,
  "1 week": 7 * 24 * 60 * MINUTE,
  Forever: Number.POSITIVE_INFINITY,
} as const;

export type SilenceLength = keyof typeof SILENCES;
export const SILENCE_LENGTHS = Object.keys(SILENCES) as SilenceLength[];

/** When a silence that begins now ends, as the database writes it. */
export function silenceEnd(length: SilenceLength, now: number): string {
  const end = now + SILENCES[length];
  return Number.isFinite(end) ? new Date(end).toISOString() : "infinity";
}

const { max } = LIMITS.silence.reason;

/** A silence as it is typed. */
export const silenceSchema = v.object({
  length: v.picklist(SILENCE_LENGTHS, "Choose how long"),
  reason: v.pipe(
    v.string(),
    v.trim(),
    v.nonEmpty("Reason is required"),
    v.check((text) => lengthOf(text) <= max, `Reason must be at most ${max} characters`),
  ),
});

export type SilenceInput = v.InferOutput<typeof silenceSchema>;
