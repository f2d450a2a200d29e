import * as v from "valibot";
import { truth } from "../../parse-input.ts";
import { invalidRequest, tooLarge, wrongType } from "../../storage-error.ts";
import type { StorageService } from "../../storage-service.ts";

/** Bucket settings in a request body; all are optional and nullable. */
export const BucketFields = {
  public: v.nullish(truth),
  file_size_limit: v.nullish(v.union([v.pipe(v.number(), v.integer(), v.minValue(0)), v.string()])),
  allowed_mime_types: v.nullish(v.array(v.string())),
  versioning_status: v.nullish(v.picklist(["DISABLED", "ENABLED", "SUSPENDED"])),
};

const UNITS: Record<string, number> = { "": 1, b: 1, kb: 1e3, mb: 1e6, gb: 1e9, tb: 1e12 };

/**
 * Parses a size in bytes from a number or a text such as `1MB`.
 * @throws StorageError 400, 413 beyond the service's own limit
 */
export function readSizeLimit(
  limit: number | string | null | undefined,
  { config }: StorageService,
): number | null | undefined {
  if (limit === null || limit === undefined) return limit;
  const bytes = typeof limit === "number" ? limit : parseSize(limit);
  if (bytes <= config.fileSizeLimit) return bytes;
  throw tooLarge();
}

function parseSize(text: string): number {
  const [, amount, unit = ""] = /^\s*(\d+(?:\.\d+)?)\s*([kmgt]?b)?\s*$/i.exec(text) ?? [];
  if (!amount) throw invalidRequest("Invalid file size format, hint: use 20GB / 20MB / 30KB / 3B");
  return Math.floor(Number(amount) * (UNITS[unit.toLowerCase()] as number));
}

const TYPE = /^(?:\*\/\*|[\w!#$&^.+-]+\/(?:\*|[\w!#$&^.+-]+(?:;\s*charset=[\w-]+)?))$/i;

/** @throws StorageError 415 for an invalid media type */
export function requireTypes(types: string[] | null | undefined): string[] | null | undefined {
  const wrong = types?.find((type) => !TYPE.test(type));
  if (wrong === undefined) return types;
  throw wrongType(wrong);
}
