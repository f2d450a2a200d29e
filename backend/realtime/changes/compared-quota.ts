import { getOrMake } from "#backend/memory/get-or-make.ts";
import { removeFrom } from "#backend/memory/remove-from.ts";
import { isCompared, type SettledCondition } from "./filter-matcher.ts";

/** Comparisons that one account, or the visitors of one network, may have made for each row: about 5 ms. */
export const MAX_COMPARED = 1_000;

type Counted = { spec: { id: number }; conditions: SettledCondition[] };

type Usage = { compared: number; channels: number };

/** Counts each person's conditions that PostgreSQL compares with every row; those of equal subscriptions count once. */
export class ComparedQuota {
  readonly #byPerson = new Map<string, Map<number, Usage>>();

  /** False if that would be too many. */
  take(person: string, { spec, conditions }: Counted): boolean {
    const compared = conditions.filter(isCompared).length;
    if (compared === 0) return true;
    const own = getOrMake(this.#byPerson, person, () => new Map<number, Usage>());
    const known = own.get(spec.id);
    const others = [...own.values()].reduce((sum, usage) => sum + usage.compared, 0);
    if (!known && others + compared > MAX_COMPARED) return false;
    own.set(spec.id, { compared, channels: (known?.channels ?? 0) + 1 });
    return true;
  }

  giveBack(person: string, { spec }: Pick<Counted, "spec">): void {
    const known = this.#byPerson.get(person)?.get(spec.id);
    if (!known) return;
    known.channels--;
    if (known.channels === 0) removeFrom(this.#byPerson, person, spec.id);
  }
}
