import { use, useEffect, useState, useSyncExternalStore } from "react";
import { readOwnProfile } from "#app/features/profile/profile-queries.ts";
import { openSession } from "#app/features/session/open-session.ts";
import type { SessionClient } from "#app/features/session/session-client.ts";
import { useSiteConfig } from "#app/features/site/use-site-config.ts";
import { createRoom, type Room } from "#app/routes/chat/room/room.ts";
import type { RoomView } from "#app/routes/chat/room/room-store.ts";

/** The room, entered for as long as the caller is shown, and what is in it. Suspends until the client is loaded. */
export function useRoom(userId: string): { client: SessionClient; room: Room; view: RoomView } {
  const client = use(openSession(useSiteConfig()));
  const [room] = useState(() => createRoom(client, { id: userId, username: followUsername(client, userId) }));
  useEffect(() => room.enter(), [room]);
  const view = useSyncExternalStore(room.subscribe, room.current);
  return { client, room, view };
}

/** The own name as soon as it is read; the database writes it over whatever is sent (P12). */
function followUsername(client: SessionClient, userId: string): () => string {
  let username = "Anonymous";
  readOwnProfile(client, userId).then(
    (profile) => {
      if (profile) username = profile.username;
    },
    () => undefined,
  );
  return () => username;
}
