import type { Position } from "../position.ts";

/** Of more looks than these every second one goes: a replica that stands still for days is told of by the first. */
const MOST_LOOKS = 100;

/** How long ago the primary was where its replica is now, told by looks at both. */
export function createLagMeter(): (at: number, primary: Position, replica: Position) => number {
  let looks: { at: number; primary: Position }[] = [];
  return (at, primary, replica) => {
    looks.push({ at, primary });
    looks = looks.filter((look) => look.primary > replica);
    if (looks.length > MOST_LOOKS) looks = looks.filter((_, index) => index % 2 === 0);
    return looks[0] ? at - looks[0].at : 0;
  };
}
