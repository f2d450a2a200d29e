import { useCallback, useEffect, useState } from "react";
import type { SessionClient } from "#app/features/session/session-client.ts";
import type { Addition } from "#app/routes/chat/room/chat-message.ts";
import type { KeptText } from "#app/routes/chat/room/kept-text.ts";
import type { Room } from "#app/routes/chat/room/room.ts";
import type { RoomView } from "#app/routes/chat/room/room-store.ts";
import { type Address, NOBODY } from "./addressed.tsx";
import { mergeAddresses, restoreAddress } from "./restore-address.ts";

/**
 * Whom the next message is for, kept for this tab beside the draft: after a reload it would go to nobody. `restore` adds
 * those of a rejected message.
 */
export function useAddress(
  client: SessionClient,
  room: Room,
  { status, connection }: RoomView,
  kept: KeptText,
) {
  const [before] = useState(() => kept.readAddress());
  const [first] = useState<Address>(() => ({ ...NOBODY }));
  const [address, setAddress] = useState(first);
  const [isRestored, setRestored] = useState(false);
  // A message was sent: it is not for the next one.
  if (address === NOBODY && !isRestored) setRestored(true);
  const isDue = !isRestored && status === "ready";

  // biome-ignore lint/correctness/useExhaustiveDependencies: what could not be read is read when the connection is back
  useEffect(() => {
    if (!isDue) return;
    let isOver = false;
    void restoreAddress(client, room, before).then(({ isWhole, ...back }) => {
      if (isOver || !isWhole) return;
      setAddress((now) => mergeAddresses(now, back));
      setRestored(true);
    });
    return () => {
      isOver = true;
    };
  }, [client, room, before, isDue, connection]);

  useEffect(() => {
    if (isRestored || address !== first) kept.writeAddress(address);
  }, [isRestored, address, first, kept]);

  const restore = useCallback(
    async (more?: Addition) => {
      const back = await restoreAddress(client, room, more);
      setAddress((now) => mergeAddresses(now, back));
    },
    [client, room],
  );
  return { address, setAddress, restore };
}
