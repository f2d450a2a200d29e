import { useOwnRead } from "#app/features/session/use-own-read.ts";
import { Button } from "#app/ui/button.tsx";
import { suggestUsernames } from "./forced-name-queries.ts";

/** Harmless names that nobody has, to be chosen by a tap; nothing where none can be had. */
export function NameOffers({ onChoose }: { onChoose(name: string): void }) {
  const [names] = useOwnRead(suggestUsernames);
  if (!Array.isArray(names) || names.length === 0) return null;
  return (
    <fieldset className="flex flex-wrap gap-2">
      <legend className="sr-only">Names that are free</legend>
      {names.map((name) => (
        <Button key={name} onClick={() => onChoose(name)}>
          {name}
        </Button>
      ))}
    </fieldset>
  );
}
