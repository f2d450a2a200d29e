import { useCallback, useEffect, useState } from "react";
import type { SessionClient } from "#app/features/session/session-client.ts";
import type { Addition } from "#app/routes/chat/room/chat-message.ts";
import { keepText } from "#app/routes/chat/room/kept-text.ts";
import type { Room } from "#app/routes/chat/room/room.ts";
import { type Address, NOBODY } from "./addressed.tsx";
import { mergeAddresses, restoreAddress } from "./restore-address.ts";

/**
 * Whom the next message is for, kept for this tab beside the draft: after a reload it would go to nobody. `restore` adds
 * those of a rejected message.
 */
export function useAddress(client: SessionClient, room: Room, userId: string) {
  const [kept] = useState(() => keepText(userId));
  const [first] = useState<Address>(() => ({ ...NOBODY }));
  const [address, setAddress] = useState(first);
  const [isRestored, setRestored] = useState(false);

  useEffect(() => {
    void restoreAddress(client, room, kept.readAddress()).then((back) => {
      // Not for the next message, if one was sent meanwhile.
      setAddress((now) => (now === NOBODY ? now : mergeAddresses(now, back)));
      setRestored(true);
    });
  }, [client, room, kept]);

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
