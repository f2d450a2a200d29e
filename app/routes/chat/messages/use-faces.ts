import { useMemo } from "react";
import { useOwnRead } from "#app/features/session/use-own-read.ts";

/** How others see a writer: with a picture or initials, with a page among the traders or without. */
export type Face = { avatar_url: string | null; listed: boolean };

type Faces = ReadonlyMap<string, Face>;
const NONE: Faces = new Map();

/** Those who write here, by id; who has neither picture nor page is left out. */
export function useFaces(messages: readonly { user_id: string }[]): Faces {
  const people = useMemo(
    () => [...new Set(messages.map(({ user_id }) => user_id))].toSorted().join(" "),
    [messages],
  );
  // Where they cannot be read, initials say enough.
  const [faces] = useOwnRead(
    async (client): Promise<Faces> => {
      if (people === "") return NONE;
      const { data } = await client.rpc("list_chat_faces", { people: people.split(" ") }).throwOnError();
      return new Map(data.map((face) => [face.id, face]));
    },
    { of: people, isKept: true },
  );
  return typeof faces === "string" ? NONE : faces;
}
