import { useState } from "react";
import { Moment } from "#app/routes/admin/shared/moment.tsx";
import { useAct } from "#app/routes/admin/shared/use-act.ts";
import { Badge } from "#app/ui/badge.tsx";
import { Button } from "#app/ui/button.tsx";
import { Card } from "#app/ui/card.tsx";
import { showToast } from "#app/ui/toast/toast-store.ts";
import { MessageContext } from "./message-context.tsx";
import { deleteMessage, resolveReports } from "./report-queries.ts";
import type { ReportedMessage } from "./reported-message.ts";
import type { Person } from "./silence-dialog.tsx";
import { isForever, type Silence } from "./silence-queries.ts";

type ReportCardProps = {
  reported: ReportedMessage;
  /** The writer's silence, if there is one. */
  silence: Silence | undefined;
  onSilence(person: Person): void;
};

/** A reported message: what it said, who reported it and why, and what can be done about it. */
export function ReportCard({ reported, silence, onSilence }: ReportCardProps) {
  const { messageId, message, userId, username, sentAt, reports } = reported;
  return (
    <Card as="li" className="grid gap-3" data-report={reported.key}>
      <div className="flex flex-wrap items-center gap-2">
        <h3 className="text-base">{username}</h3>
        {sentAt && (
          <span className="text-muted text-sm">
            <Moment at={sentAt} />
          </span>
        )}
        {messageId === null && <Badge>Deleted</Badge>}
        {silence && <Badge tone="fall">{isForever(silence) ? "Silenced for good" : "Silenced"}</Badge>}
      </div>
      <blockquote className="whitespace-pre-wrap rounded-md border-accent border-l-4 bg-sunken px-4 py-3 wrap-anywhere">
        {message}
      </blockquote>
      <ul className="grid gap-1 text-sm wrap-anywhere">
        {reports.map(({ id, reporter, reason, created_at }) => (
          <li key={id}>
            <span className="font-semibold">{reporter?.username}</span>: {reason ?? "no reason given"}{" "}
            <span className="text-muted">
              <Moment at={created_at} near={sentAt ?? undefined} />
            </span>
          </li>
        ))}
      </ul>
      {sentAt && <Context reported={reported} sentAt={sentAt} />}
      <Actions
        reported={reported}
        isSilenced={silence !== undefined}
        onSilence={userId ? () => onSilence({ id: userId, username }) : null}
      />
    </Card>
  );
}

function Context({ reported, sentAt }: { reported: ReportedMessage; sentAt: string }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details className="disclosure" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>What was said around it</summary>
      {isOpen && <MessageContext reported={reported} sentAt={sentAt} />}
    </details>
  );
}

type ActionsProps = Pick<ReportCardProps, "reported"> & {
  isSilenced: boolean;
  onSilence: (() => void) | null;
};

function Actions({ reported, isSilenced, onSilence }: ActionsProps) {
  const { isBusy, act } = useAct("chat_reports");
  const { messageId, username, reports } = reported;
  const isHandled = reports.every(({ resolved_at }) => resolved_at !== null);
  const isDealtWith = messageId === null || isSilenced;

  async function remove(id: string) {
    const isGone = await act((client) => deleteMessage(client, id));
    if (isGone)
      showToast({ title: "Message deleted", description: "It is gone from the chat for everybody." });
  }

  async function resolve(isResolved: boolean) {
    const ids = reports.map(({ id }) => id);
    const done = await act((client) => resolveReports(client, ids, isResolved));
    if (done) showToast({ title: isResolved ? "Report handled" : "Report opened again" });
  }

  return (
    <div className="flex flex-wrap gap-3">
      {messageId && (
        <Button size="sm" variant="danger" disabled={isBusy} onClick={() => void remove(messageId)}>
          Delete message
        </Button>
      )}
      {onSilence && (
        <Button size="sm" aria-label={`Silence ${username}`} onClick={onSilence}>
          Silence…
        </Button>
      )}
      <Button size="sm" variant="ghost" disabled={isBusy} onClick={() => void resolve(!isHandled)}>
        {isHandled ? "Open again" : isDealtWith ? "Mark as handled" : "Dismiss"}
      </Button>
    </div>
  );
}
