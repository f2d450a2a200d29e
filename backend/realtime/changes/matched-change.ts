import { getOrMake } from "#backend/memory/get-or-make.ts";
import type { Change, RowText } from "../feed/change-feed.ts";
import { encodeText } from "../protocol/encode-frame.ts";
import type { Frame, Version } from "../protocol/message.ts";
import { CHANGE_ERRORS, toChangeJson, toErrorJson, wholeRow } from "./change-payload.ts";
import type { Subscriber, SubscriptionGroup } from "./subscription-registry.ts";
import type { TableFacts } from "./table-facts.ts";

/** Everything a frame depends on; usually identical for all subscribers in a room. */
type Asked = {
  role: string;
  version: Version;
  topic: string;
  groups: SubscriptionGroup[];
  verdict: "seen" | "failed";
};

/** A change, the subscriptions it matches, and its frames: equal ones are encoded once for all subscribers. */
export class MatchedChange {
  readonly change: Change;
  readonly groups: SubscriptionGroup[];
  readonly #facts: TableFacts;
  readonly #data = new Map<string, string>();
  readonly #frames = new Map<string, Frame>();
  readonly #retold = new WeakMap<RowText, MatchedChange | null>();
  #last: { asked: Asked; frame: Frame | null } | null = null;

  constructor(change: Change, groups: SubscriptionGroup[], facts: TableFacts) {
    this.change = change;
    this.groups = groups;
    this.#facts = facts;
  }

  /**
   * The change as it may be sent to a subscriber who currently sees the row as `seen`. Who could read the values at the
   * time of the write is no longer known, so where values differ, the current ones are sent. Null if nothing may be
   * sent.
   */
  as(seen: RowText | undefined): MatchedChange | null {
    return seen ? getOrMake(this.#retold, seen, () => this.#retell(seen)) : null;
  }

  #retell(seen: RowText): MatchedChange | null {
    const written = wholeRow(this.change);
    const isAsWritten = (name: string) => written[name] === undefined || written[name] === seen[name];
    if (Object.keys(seen).every(isAsWritten)) return this;
    // The filter matched the written value; if that value has changed, delivering would let a filter guess it.
    const groups = this.groups.filter(({ subscription }) =>
      subscription.conditions.every(({ column }) => isAsWritten(column)),
    );
    return groups.length > 0 ? new MatchedChange({ ...this.change, row: seen }, groups, this.#facts) : null;
  }

  /** Null if this subscriber may not receive the change. */
  frameFor(
    { identity: { role }, version, topic }: Subscriber,
    groups: SubscriptionGroup[],
    verdict: Asked["verdict"],
  ): Frame | null {
    const asked = { role, version, topic, groups, verdict };
    if (!this.#last || !isSame(this.#last.asked, asked)) this.#last = { asked, frame: this.#find(asked) };
    return this.#last.frame;
  }

  #find({ role, version, topic, groups, verdict }: Asked): Frame | null {
    const error = this.#findError(role, verdict);
    if (error === "") return null;
    const ids = groups.map(({ subscription }) => subscription.spec.id).join(",");
    const key = `${version} ${role} ${error} ${ids} ${topic}`;
    return getOrMake(this.#frames, key, () => {
      const data = this.#dataFor(role, error, selectOf(groups));
      if (groups.some(({ subscription }) => subscription.spec.isTopic))
        return encodeText(version, { topic, event: this.change.type }, data);
      return encodeText(version, { topic, event: "postgres_changes" }, `{"ids":[${ids}],"data":${data}}`);
    });
  }

  /** Null for no error; an empty string if the role may read no column and is not notified at all. */
  #findError(role: string, verdict: "seen" | "failed"): string | null {
    const readable = this.#facts.readable.get(role);
    if (!readable || readable.size === 0) return "";
    if (verdict === "failed") return CHANGE_ERRORS.failed;
    if (this.change.type === "DELETE") return null;
    if (this.#facts.keys.length === 0) return CHANGE_ERRORS.noKey;
    return this.#facts.keys.every(({ name }) => readable.has(name)) ? null : CHANGE_ERRORS.unauthorized;
  }

  #dataFor(role: string, error: string | null, select: string[] | null): string {
    if (error !== null) return toErrorJson(this.change, error);
    const key = `${role} ${select?.join() ?? "*"}`;
    return getOrMake(this.#data, key, () => toChangeJson(this.change, this.#facts, role, select));
  }
}

function isSame(one: Asked, other: Asked): boolean {
  return (
    one.groups === other.groups &&
    one.topic === other.topic &&
    one.version === other.version &&
    one.role === other.role &&
    one.verdict === other.verdict
  );
}

/** The union of the columns selected by several subscriptions; null (all) if any selects all. */
function selectOf(groups: SubscriptionGroup[]): string[] | null {
  const selects = groups.map(({ subscription }) => subscription.spec.select);
  return selects.includes(null) ? null : selects.flatMap((select) => select ?? []);
}
