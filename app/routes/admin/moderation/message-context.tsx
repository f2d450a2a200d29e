import { useRead } from "#app/features/live/use-read.ts";
import { Moment } from "#app/routes/admin/shared/moment.tsx";
import { ReadState } from "#app/routes/admin/shared/read-state.tsx";
import { Badge } from "#app/ui/badge.tsx";
import { classNames } from "#app/ui/class-names.ts";
import type { Evidence } from "./cases.ts";
import { readMessagesAround } from "./message-queries.ts";

type Line = { id: string; username: string; message: string; created_at: string; isDeleted: boolean };
type MessageContextProps = { reported: Evidence; username: string; sentAt: string };

/** What was said around a reported message, with the message in its place. */
export function MessageContext({ reported, username, sentAt }: MessageContextProps) {
  const around = useRead(["chat_messages", sentAt], (client) => readMessagesAround(client, sentAt));
  const { key, messageId, text } = reported;
  const itself = { id: key, username, message: text, created_at: sentAt, isDeleted: messageId === null };
  return (
    <div>
      <ReadState read={around} what="Messages">
        {({ before, after }) => (
          <ol className="grid gap-1.5 text-sm wrap-anywhere">
            {[...before, itself, ...after].map((line: Line) => (
              <li
                key={line.id}
                className={classNames("rounded-sm px-2.5 py-1", line.id === key && "bg-sunken font-semibold")}
              >
                <span className="text-muted">
                  <Moment at={line.created_at} near={sentAt} /> {line.username}:
                </span>{" "}
                <span className="text-ink">{line.message}</span> {line.isDeleted && <Badge>Deleted</Badge>}
              </li>
            ))}
          </ol>
        )}
      </ReadState>
    </div>
  );
}
