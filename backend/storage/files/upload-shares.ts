import { tooManyUploads } from "../storage-error.ts";

/** How much an upload comes to at most, and whose it is. */
export type ClaimedRoom = { length: number; owner: string | null; role: string };

/** What one person may have under way; servers may have anything, visitors count as one person. */
export type PersonsShare = { uploads: number; bytes: number };

/** Whose the uploads under way are, and how long they will be, by their ids. */
export function createShares(perPerson: PersonsShare) {
  const underWay = new Map<string, { person: string; length: number }>();

  function note(id: string, upload: ClaimedRoom): void {
    underWay.set(id, { person: personOf(upload), length: upload.length });
  }

  /** Takes the room at once, so that no other upload slips in between. */
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

/** By a signed address it is whoever made that. */
function personOf({ owner, role }: ClaimedRoom): string {
  return owner ?? role;
}
