import type { Connection } from "#app/routes/chat/room/connect-room.ts";
import { Button } from "#app/ui/button.tsx";
import type { OpenDialog } from "./dialogs/chat-dialogs.tsx";

const STATES: Record<Connection, string> = {
  connecting: "Connecting…",
  connected: "Live",
  reconnecting: "Reconnecting…",
};

type RoomHeadProps = {
  connection: Connection;
  /** How many people are in the room. */
  here: number;
  /** How many people this user muted. */
  muted: number;
  onOpen(dialog: OpenDialog): void;
};

/** The room's bar: connection status, people present, muted people. */
export function RoomHead({ connection, here, muted, onOpen }: RoomHeadProps) {
  return (
    <header className="chat-head">
      <p role="status" className={`chat-state chat-${connection}`}>
        {STATES[connection]}
      </p>
      {here > 0 && (
        <Button size="sm" variant="ghost" className="figures" onClick={() => onOpen({ what: "people here" })}>
          {`${here} online`}
        </Button>
      )}
      {muted > 0 && (
        <Button
          size="sm"
          variant="ghost"
          className="figures"
          onClick={() => onOpen({ what: "muted people" })}
        >
          {`${muted} muted`}
        </Button>
      )}
    </header>
  );
}
