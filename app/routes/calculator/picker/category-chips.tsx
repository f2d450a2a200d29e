export type PickerCategory = { id: string; name: string; icon: string | null };

type CategoryChipsProps = {
  categories: readonly PickerCategory[];
  /** The category's id; null for all. */
  chosen: string | null;
  onChoose: (category: string | null) => void;
};

/** Filters by category; pressing "All" shows everything again. The row scrolls sideways if it does not fit. */
export function CategoryChips({ categories, chosen, onChoose }: CategoryChipsProps) {
  return (
    <fieldset className="picker-categories">
      <legend className="sr-only">Category</legend>
      {categories.map(({ id, name, icon }) => (
        <button
          key={id}
          type="button"
          className="picker-category"
          aria-pressed={id === chosen}
          onClick={() => onChoose(id === chosen ? null : id)}
        >
          {icon && <span aria-hidden="true">{icon} </span>}
          {name}
        </button>
      ))}
    </fieldset>
  );
}
