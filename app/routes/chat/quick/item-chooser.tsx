import { useEffect, useEffectEvent, useMemo, useRef, useState } from "react";
import { RetryNotice } from "#app/features/failed-reads/retry-notice.tsx";
import { ItemImage } from "#app/features/items/item-image.tsx";
import { Button } from "#app/ui/button.tsx";
import { Choice } from "#app/ui/choice.tsx";
import { SearchField } from "#app/ui/search-field.tsx";
import { searchItems } from "#domain/items/item-search.ts";
import { byWantedness } from "#domain/items/wantedness.ts";
import { type ChatItem, type ChatItems, countGaps, fillPhrase, type Phrase } from "./quick-reads.ts";

/** How many items are shown; any other is found by its name. */
const MOST_SHOWN = 40;

type ItemChooserProps = {
  phrase: Phrase;
  items: ChatItems | null;
  /** Reads the items once more, after they could not be read; otherwise null. */
  readItemsAgain: (() => Promise<unknown>) | null;
  /** Every gap is filled: the text, and the slots in the format of the calculator's URL. */
  onDone(text: string, slots: string): void;
  onBack(): void;
};

type Chosen = { name: string; slot: string };

/** Fills the gaps of a phrase one by one. */
export function ItemChooser({ phrase, items, readItemsAgain, onDone, onBack }: ItemChooserProps) {
  const [search, setSearch] = useState("");
  const [isPermanent, setPermanent] = useState(false);
  const [chosen, setChosen] = useState<readonly Chosen[]>([]);
  // The most wanted items first, so that their names rarely need to be typed.
  const all = useMemo(() => [...(items?.values() ?? [])].toSorted(byWantedness), [items]);
  const { found, mode } = searchItems(all, search);
  const status = useRef<HTMLParagraphElement>(null);
  // The button that was pressed is gone.
  useEffect(() => status.current?.focus(), []);
  const chosenNames = chosen.map(({ name }) => name);
  // Enter counts as soon as there are items to search, unless something else was typed meanwhile.
  const [isEntered, setEntered] = useState(false);
  const takeFirst = useEffectEvent(() => {
    setEntered(false);
    if (search && found[0]) pick(found[0]);
  });
  useEffect(() => {
    if (isEntered && items) takeFirst();
  }, [isEntered, items]);

  function pick(item: ChatItem) {
    const takesPermanent = isPermanent || mode === "permanent";
    const next = [
      ...chosen,
      {
        name: takesPermanent ? `Permanent ${item.name}` : item.name,
        slot: takesPermanent ? `${item.slug}.p` : item.slug,
      },
    ];
    setSearch("");
    setPermanent(false);
    if (next.length < countGaps(phrase)) return setChosen(next);
    const names = next.map(({ name }) => name);
    onDone(fillPhrase(phrase, names), next.map(({ slot }) => slot).join());
  }

  return (
    <section className="chat-tray" aria-label="Choose an item">
      <div className="flex items-center gap-3 pb-2">
        <Button size="sm" variant="ghost" onClick={onBack}>
          Back
        </Button>
        {/* Not the search field: the phone's keyboard would hide the items. */}
        <p role="status" ref={status} tabIndex={-1} className="font-semibold">
          {fillPhrase(phrase, chosenNames)}
        </p>
      </div>
      <form
        className="flex items-center gap-3 pb-2"
        onSubmit={(event) => {
          event.preventDefault();
          setEntered(true);
        }}
      >
        <SearchField
          label="Search items"
          className="min-w-0 flex-1"
          placeholder="Search items..."
          value={search}
          onChange={(event) => {
            setSearch(event.target.value);
            setEntered(false);
          }}
        />
        <Choice
          type="checkbox"
          checked={isPermanent}
          onChange={(event) => setPermanent(event.target.checked)}
        >
          Permanent
        </Choice>
      </form>
      {readItemsAgain ? (
        <RetryNotice onRetry={readItemsAgain}>The items can’t be loaded right now.</RetryNotice>
      ) : (
        items === null && <p className="text-muted">Loading…</p>
      )}
      {items !== null && found.length === 0 && <p className="text-muted">No items found</p>}
      <ul className="chat-items">
        {found.slice(0, MOST_SHOWN).map((item) => (
          <li key={item.id}>
            <Button
              className="text-start"
              onClick={() => {
                // Without the search, the pressed button may be gone.
                status.current?.focus();
                pick(item);
              }}
            >
              <ItemImage src={item.image_url} size={28} />
              {item.name}
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}
