import { useState } from "react";
import { Avatar } from "#app/features/profile/avatar.tsx";
import { Moment } from "#app/routes/admin/shared/moment.tsx";
import { Badge } from "#app/ui/badge.tsx";
import { type ReportKind, wordsOfCode } from "#domain/moderation/report-code.ts";
import type { CasePerson, Evidence } from "./cases.ts";
import { MessageContext } from "./message-context.tsx";

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
        {sentAt && (
          <span className="text-muted">
            <Moment at={sentAt} />
          </span>
        )}
        {kind === "message" && messageId === null && <Badge>Deleted</Badge>}
      </p>
      {kind === "picture" ? (
        <Avatar username={person.username} url={`/storage/v1/object/public/avatars/${text}`} size={96} />
      ) : (
        <blockquote className="whitespace-pre-wrap rounded-md border-accent border-l-4 bg-sunken px-4 py-3 wrap-anywhere">
          {text}
        </blockquote>
      )}
      <ul className="grid gap-1 text-sm wrap-anywhere">
        {reports
          .filter(({ reporter }) => reporter !== null)
          .map(({ id, code, reporter, reason, created_at }) => (
            <li key={id}>
              <span className="font-semibold">{reporter?.username}</span>: {reason ?? wordsOfCode(code).label}{" "}
              <span className="text-muted">
                <Moment at={created_at} near={sentAt ?? undefined} />
              </span>
            </li>
          ))}
      </ul>
      {kind === "message" && sentAt && <Context evidence={evidence} person={person} sentAt={sentAt} />}
    </li>
  );
}

type ContextProps = { evidence: Evidence; person: CasePerson; sentAt: string };

function Context({ evidence, person, sentAt }: ContextProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details className="disclosure" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>What was said around it</summary>
      {isOpen && <MessageContext reported={evidence} username={person.username} sentAt={sentAt} />}
    </details>
  );
}
