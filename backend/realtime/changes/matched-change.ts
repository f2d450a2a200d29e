import { getOrMake } from "#backend/memory/get-or-make.ts";
import type { Change, RowText } from "../feed/change-feed.ts";
import { ChangeFrames } from "./change-frames.ts";
import { wholeRow } from "./change-payload.ts";
import type { SubscriptionGroup } from "./subscription-registry.ts";
import type { TableFacts } from "./table-facts.ts";

/** A change, the subscriptions it matches, and its frames. */
export class Matched {
  readonly change: Change;
  readonly groups: SubscriptionGroup[];
  readonly frames: ChangeFrames;
  readonly #facts: TableFacts;
  readonly #retold = new WeakMap<RowText, Matched | null>();

  constructor(change: Change, groups: SubscriptionGroup[], facts: TableFacts) {
    this.change = change;
    this.groups = groups;
    this.frames = new ChangeFrames(change, facts);
    this.#facts = facts;
  }

  /**
   * What may be sent to a subscriber who sees the row as `seen`: of the values it had when it was written, it is unknown by now
   * who could read them. Where they differ, the present ones are sent. Null for nothing.
   */
  as(seen: RowText | undefined): Matched | null {
    return seen ? getOrMake(this.#retold, seen, () => this.#retell(seen)) : null;
  }

  #retell(seen: RowText): Matched | null {
    const written = wholeRow(this.change);
    const isAsWritten = (name: string) => written[name] === undefined || written[name] === seen[name];
    if (Object.keys(seen).every(isAsWritten)) return this;
    // A filter was met by what was written: by a value that is there no more it could be used to guess that.
    const groups = this.groups.filter(({ subscription }) =>
      subscription.conditions.every(({ column }) => isAsWritten(column)),
    );
    return groups.length > 0 ? new Matched({ ...this.change, row: seen }, groups, this.#facts) : null;
  }
}
