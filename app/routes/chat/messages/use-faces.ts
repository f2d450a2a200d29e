import { useMemo } from "react";
import { useOwnRead } from "#app/features/session/use-own-read.ts";

/** How a writer appears to others: picture or initials, with or without a trader page. */
export type Face = { avatar_url: string | null; listed: boolean };

type Faces = ReadonlyMap<string, Face>;
const NONE: Faces = new Map();

/** Writers by id; those with neither a picture nor a page are left out. */
export function useFaces(messages: readonly { user_id: string }[]): Faces {
  const people = useMemo(
    () => [...new Set(messages.map(({ user_id }) => user_id))].toSorted().join(" "),
    [messages],
  );
  // If they cannot be read, initials are shown.
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
