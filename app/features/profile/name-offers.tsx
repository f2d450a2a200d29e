import { useEffect, useState } from "react";
import { openSession } from "#app/features/session/open-session.ts";
import { useSiteConfig } from "#app/features/site/use-site-config.ts";
import { Button } from "#app/ui/button.tsx";
import { suggestUsernames } from "./forced-name-queries.ts";

/** Harmless names that nobody has, to be chosen by a tap; nothing where none can be had. */
export function NameOffers({ onChoose }: { onChoose(name: string): void }) {
  const site = useSiteConfig();
  const [names, setNames] = useState<readonly string[]>([]);
  useEffect(() => {
    let isCurrent = true;
    openSession(site)
      .then(suggestUsernames)
      .then((offered) => isCurrent && setNames(offered))
      .catch(() => undefined);
    return () => {
      isCurrent = false;
    };
  }, [site]);
  if (names.length === 0) return null;
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
