import { createStore } from "#app/ui/store.ts";
import type { Connection } from "./connect-room.ts";
import { changeRoom, EMPTY_ROOM, type RoomChange, type RoomState } from "./room-state.ts";

/** The room's state as shown on screen. */
export type RoomView = RoomState & {
  connection: Connection;
  /** The ids of the people in the room. */
  here: readonly string[];
};

export type RoomStore = {
  current(): RoomView;
  /** For `useSyncExternalStore`. */
  subscribe(listener: () => void): () => void;
  change(change: RoomChange): void;
  show(part: Partial<Pick<RoomView, "connection" | "here">>): void;
};

/** Holds the room's state and notifies listeners when it changes. */
export function createRoomStore(): RoomStore {
  const { current, set, subscribe } = createStore<RoomView>({
    ...EMPTY_ROOM,
    connection: "connecting",
    here: [],
  });
  return {
    current,
    subscribe,
    change: (change) => set({ ...current(), ...changeRoom(current(), change) }),
    show: (part) => set({ ...current(), ...part }),
  };
}
