import type { Person } from "#app/routes/chat/room/people-queries.ts";
import { classNames } from "#app/ui/class-names.ts";

type MentionListProps = {
  id: string;
  people: readonly Person[];
  /** The entry that Enter selects. */
  active: number;
  onPick(person: Person): void;
};

/** Suggestions for the "@" mention being typed; focus stays in the field. */
export function MentionList({ id, people, active, onPick }: MentionListProps) {
  return (
    <div id={id} role="listbox" aria-label="People here" className="chat-mentions">
      {people.map((person, at) => (
        // biome-ignore lint/a11y/useFocusableInteractive: the field keeps the focus and names the active one
        // biome-ignore lint/a11y/useKeyWithClickEvents: the field takes the keys
        <div
          key={person.id}
          id={`${id}-${at}`}
          role="option"
          aria-selected={at === active}
          className={classNames(
            "flex min-h-11 cursor-pointer items-center px-3.5 hover:bg-(--lit)",
            at === active && "bg-(--lit) font-[650]",
          )}
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => onPick(person)}
        >
          @{person.username}
        </div>
      ))}
    </div>
  );
}
