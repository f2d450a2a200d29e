import { useEffect, useMemo, useState } from "react";
import { openSession } from "#app/features/session/open-session.ts";
import { useSiteConfig } from "#app/features/site/use-site-config.ts";

/** How others see a writer: with a picture or initials, with a page among the traders or without. */
export type Face = { avatar_url: string | null; listed: boolean };

/** Those who write here, by id; who has neither picture nor page is left out. */
export function useFaces(messages: readonly { user_id: string }[]): ReadonlyMap<string, Face> {
  const site = useSiteConfig();
  const [faces, setFaces] = useState<ReadonlyMap<string, Face>>(new Map());
  const people = useMemo(
    () => [...new Set(messages.map(({ user_id }) => user_id))].toSorted().join(" "),
    [messages],
  );
  useEffect(() => {
    if (people === "") return;
    let isCurrent = true;
    openSession(site)
      .then((client) => client.rpc("list_chat_faces", { people: people.split(" ") }).throwOnError())
      .then(({ data }) => isCurrent && setFaces(new Map(data.map((face) => [face.id, face]))))
      // Initials say enough.
      .catch(() => undefined);
    return () => {
      isCurrent = false;
    };
  }, [site, people]);
  return faces;
}
