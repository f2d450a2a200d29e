import * as v from "valibot";
import type { Row } from "#backend/postgres/database.ts";
import { type Actor, runAs } from "../../database/run-as.ts";
import { LISTED } from "../../objects/walk-names.ts";
import { truth } from "../../parse-input.ts";
import type { StorageService } from "../../storage-service.ts";

const choice = v.nullish(v.picklist(["exclude", "include", "only"]));

/** Options common to both list endpoints. */
export const ListChoices = {
  noncurrentVersions: choice,
  deleteMarkers: choice,
  exactMatch: v.nullish(truth),
};

type Choices = v.InferOutput<v.ObjectSchema<typeof ListChoices, undefined>>;

/** Only current versions exist, so a request for noncurrent versions or delete markers only is empty. */
export function leavesNone({ noncurrentVersions, deleteMarkers }: Choices): boolean {
  return noncurrentVersions === "only" || deleteMarkers === "only";
}

/** The object with exactly this name, if any. */
export function listExact(
  { database }: StorageService,
  actor: Actor,
  bucket: string,
  name: string,
): Promise<Row[]> {
  const text = `select ${LISTED} from storage.objects where bucket_id = $1 and name = $2`;
  return runAs(database, actor, { text, values: [bucket, name] });
}
