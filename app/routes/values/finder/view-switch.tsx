import { ITEM_VIEWS, type ItemView, useItemView } from "#app/features/items/item-view.ts";
import { LineIcon } from "#app/ui/line-icon.tsx";

const LOOKS: Record<ItemView, { label: string; path: string }> = {
  list: { label: "List", path: "M2 4.500h14M2 9h14M2 13.500h14" },
  cards: {
    label: "Cards",
    path: "M2.500 2.500h5v5h-5zM10.500 2.500h5v5h-5zM2.500 10.500h5v5h-5zM10.500 10.500h5v5h-5z",
  },
};

/** List or cards, remembered in this browser. Without scripts the screen width decides. */
export function ViewSwitch() {
  const [view, choose] = useItemView();
  return (
    <fieldset className="view-switch">
      <legend className="sr-only">View</legend>
      {ITEM_VIEWS.map((each) => (
        <button
          key={each}
          type="button"
          data-view={each}
          aria-pressed={view === null ? undefined : view === each}
          onClick={() => choose(each)}
        >
          <LineIcon path={LOOKS[each].path} />
          <span className="sr-only">{LOOKS[each].label}</span>
        </button>
      ))}
    </fieldset>
  );
}
