import type { Lsn } from "../lsn.ts";

/** Above this many samples, every second one is dropped: for a replica that stalls for days, the first one suffices. */
const MOST_LOOKS = 100;

/** How long ago the primary was at the replica's current position, measured from samples of both. */
export function createLagMeter(): (at: number, primary: Lsn, replica: Lsn) => number {
  let looks: { at: number; primary: Lsn }[] = [];
  return (at, primary, replica) => {
    looks.push({ at, primary });
    looks = looks.filter((look) => look.primary > replica);
    if (looks.length > MOST_LOOKS) looks = looks.filter((_, index) => index % 2 === 0);
    return looks[0] ? at - looks[0].at : 0;
  };
}
