import { tooManyUploads } from "../storage-error.ts";

/** An upload's maximum size and its owner. */
export type ClaimedRoom = { length: number; owner: string | null; role: string };

/** Limits of one user's concurrent uploads; servers have none, anonymous visitors count as one user. */
export type PersonsShare = { uploads: number; bytes: number };

/** Tracks owners and sizes of uploads in progress, by id. */
export function createShares(perPerson: PersonsShare) {
  const underWay = new Map<string, { person: string; length: number }>();

  function note(id: string, upload: ClaimedRoom): void {
    underWay.set(id, { person: personOf(upload), length: upload.length });
  }

  /** Synchronous, so that no other upload gets in between the check and the reservation. */
  function take(id: string, announced: ClaimedRoom): void {
    const person = personOf(announced);
    const own = [...underWay.values()].filter((upload) => upload.person === person);
    const bytes = own.reduce((sum, { length }) => sum + length, announced.length);
    const isTooMuch = own.length >= perPerson.uploads || bytes > perPerson.bytes;
    if (isTooMuch && person !== "service_role") throw tooManyUploads();
    note(id, announced);
  }

  return {
    note,
    take,
    drop: (id: string) => void underWay.delete(id),
    has: (id: string) => underWay.has(id),
    ids: () => [...underWay.keys()],
  };
}

/** For a signed URL, the user who signed it. */
function personOf({ owner, role }: ClaimedRoom): string {
  return owner ?? role;
}
