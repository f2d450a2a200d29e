import { useOwnRead } from "#app/features/session/use-own-read.ts";
import { Button } from "#app/ui/button.tsx";
import { suggestUsernames } from "./forced-name-queries.ts";

/** Available, harmless names to choose with a tap; renders nothing if none can be loaded. */
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
