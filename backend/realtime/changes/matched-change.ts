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
   * The change as it may be sent to a subscriber who currently sees the row as `seen`. Who could read the values at the
   * time of the write is no longer known, so where values differ, the current ones are sent. Null if nothing may be
   * sent.
   */
  as(seen: RowText | undefined): Matched | null {
    return seen ? getOrMake(this.#retold, seen, () => this.#retell(seen)) : null;
  }

  #retell(seen: RowText): Matched | null {
    const written = wholeRow(this.change);
    const isAsWritten = (name: string) => written[name] === undefined || written[name] === seen[name];
    if (Object.keys(seen).every(isAsWritten)) return this;
    // The filter matched the written value; if that value has changed, delivering would let a filter guess it.
    const groups = this.groups.filter(({ subscription }) =>
      subscription.conditions.every(({ column }) => isAsWritten(column)),
    );
    return groups.length > 0 ? new Matched({ ...this.change, row: seen }, groups, this.#facts) : null;
  }
}
