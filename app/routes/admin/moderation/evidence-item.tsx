import { useState } from "react";
import { useRead } from "#app/features/live/use-read.ts";
import { Avatar } from "#app/features/profile/avatar.tsx";
import type { SessionClient } from "#app/features/session/session-client.ts";
import { Moment } from "#app/routes/admin/shared/moment.tsx";
import { ReadState } from "#app/routes/admin/shared/read-state.tsx";
import { Badge } from "#app/ui/badge.tsx";
import { classNames } from "#app/ui/class-names.ts";
import { type ReportKind, wordsOfCode } from "#domain/moderation/report-code.ts";
import { readOriginal } from "./case-queries.ts";
import type { CasePerson, Evidence } from "./cases.ts";

const TITLES: Record<ReportKind | "refusals", string> = {
  message: "Chat message",
  name: "Username",
  picture: "Picture",
  rating: "Rating that they gave",
  answer: "Answer to a rating",
  refusals: "Texts that were refused today",
};

/** Reported content as it was, who reported it and why. */
export function EvidenceItem({ evidence, person }: { evidence: Evidence; person: CasePerson }) {
  const { kind, text, sentAt, messageId, reports } = evidence;
  return (
    <li className="grid gap-2">
      <p className="flex flex-wrap items-center gap-2 text-sm">
        <span className="font-semibold">{TITLES[kind as ReportKind] ?? kind}</span>
        {sentAt && <Moment at={sentAt} className="text-muted" />}
        {kind === "message" && messageId === null && <Badge>Deleted</Badge>}
      </p>
      {kind === "picture" ? (
        <Avatar username={person.username} url={`/storage/v1/object/public/avatars/${text}`} size={96} />
      ) : (
        <blockquote className="whitespace-pre-wrap rounded-md border-accent border-l-4 bg-sunken px-4 py-3 wrap-anywhere">
          {text}
        </blockquote>
      )}
      {kind === "message" && text.includes("####") && <Original messageId={evidence.subjectId} />}
      <ul className="grid gap-1 text-sm wrap-anywhere">
        {reports
          .filter(({ reporter }) => reporter !== null)
          .map(({ id, code, reporter, reason, created_at }) => (
            <li key={id}>
              <span className="font-semibold">{reporter?.username}</span>: {reason ?? wordsOfCode(code).label}{" "}
              <Moment at={created_at} near={sentAt ?? undefined} className="text-muted" />
            </li>
          ))}
      </ul>
      {kind === "message" && sentAt && <Context evidence={evidence} person={person} sentAt={sentAt} />}
    </li>
  );
}

/** What the writer wrote where others saw ####; gone once all reports of it are decided. */
function Original({ messageId }: { messageId: string }) {
  const original = useRead(["chat_originals", messageId], (client) => readOriginal(client, messageId));
  if (original.isPending) return null;
  return (
    <ReadState read={original} what="The original">
      {(text) => text && <p className="text-sm wrap-anywhere">As it was written: {text}</p>}
    </ReadState>
  );
}

function Context({ evidence, person, sentAt }: { evidence: Evidence; person: CasePerson; sentAt: string }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details className="disclosure" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>What was said around it</summary>
      {isOpen && <MessageContext reported={evidence} username={person.username} sentAt={sentAt} />}
    </details>
  );
}

type Line = { id: string; username: string; message: string; created_at: string; isDeleted: boolean };
type MessageContextProps = { reported: Evidence; username: string; sentAt: string };

/** The conversation around a reported message, with the message in its place. */
function MessageContext({ reported, username, sentAt }: MessageContextProps) {
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

/** How many messages are shown on each side of a reported one. */
const AROUND = 5;

/** The messages around a moment, oldest first, including those deleted in the last day. @throws the service's error */
async function readMessagesAround(client: SessionClient, sentAt: string) {
  const [there, deleted] = await Promise.all([
    readAround(client, "chat_messages", sentAt),
    readAround(client, "deleted_chat_messages", sentAt),
  ]);
  const merge = (side: "before" | "after") =>
    [
      ...there[side].map((line) => ({ ...line, isDeleted: false })),
      ...deleted[side].map((line) => ({ ...line, isDeleted: true })),
    ].sort((a, b) => a.created_at.localeCompare(b.created_at));
  return { before: merge("before").slice(-AROUND), after: merge("after").slice(0, AROUND) };
}

async function readAround(
  client: SessionClient,
  table: "chat_messages" | "deleted_chat_messages",
  sentAt: string,
) {
  const messages = () => client.from(table).select("id, username, message, created_at").limit(AROUND);
  const [before, after] = await Promise.all([
    messages().lt("created_at", sentAt).order("created_at", { ascending: false }).throwOnError(),
    messages().gt("created_at", sentAt).order("created_at").throwOnError(),
  ]);
  return { before: before.data, after: after.data };
}
