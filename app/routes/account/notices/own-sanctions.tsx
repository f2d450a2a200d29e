import { useState } from "react";
import { AppealForm } from "#app/features/appeals/appeal-form.tsx";
import { OwnAppeal } from "#app/features/appeals/own-appeal.tsx";
import { useRead, useRefresh } from "#app/features/live/use-read.ts";
import type { SessionClient } from "#app/features/session/session-client.ts";
import { siteNow } from "#app/features/site/site-clock.ts";
import { Badge } from "#app/ui/badge.tsx";
import { Button } from "#app/ui/button.tsx";
import type { SanctionKind } from "#domain/moderation/sanction.ts";
import { formatDate, formatDateTime, READERS_ZONE } from "#domain/text/dates.ts";

const DONE: Record<SanctionKind, string> = {
  message: "One of your messages was removed",
  silence: "You can't write in the chat",
  rename: "You were asked to choose another username",
  picture: "Your picture was removed",
  comment: "One of your comments was removed",
  ban: "Your account was suspended",
};

/** The user's sanctions with reason and duration, and a way to appeal. */
export function OwnSanctions({ userId }: { userId: string }) {
  const { data: sanctions, isError } = useRead(["sanctions", "own"], (client) =>
    readOwnSanctions(client, userId),
  );
  if (isError && !sanctions) return <p role="alert">Your notices can't be loaded right now.</p>;
  if (!sanctions) return <p className="text-muted">Loading your notices…</p>;
  if (sanctions.length === 0) return <p className="text-muted">Nothing here. Thank you for being kind.</p>;
  return (
    <ul className="divide-y divide-line" aria-label="Notices">
      {sanctions.map((sanction) => (
        <SanctionRow key={sanction.id} sanction={sanction} />
      ))}
    </ul>
  );
}

function SanctionRow({ sanction }: { sanction: OwnSanction }) {
  const { kind, reason, removed, until, created_at, counts_until, lifted_at } = sanction;
  const counts = lifted_at === null && Date.parse(counts_until) > siteNow();
  const isOver = lifted_at !== null || (until !== null && Date.parse(until) <= siteNow());
  return (
    <li className="grid gap-2 py-3">
      <p>
        <span className="font-semibold">
          {kind === "silence" && isOver
            ? "You couldn’t write in the chat"
            : (DONE[kind as SanctionKind] ?? "A moderator acted")}
        </span>
        {until && (until === "infinity" ? ", for good" : `, until ${formatDateTime(until, READERS_ZONE)}`)}.{" "}
        <span className="text-muted text-sm">{formatDate(created_at, READERS_ZONE)}</span>{" "}
        {lifted_at ? (
          <Badge tone="rise">Taken back</Badge>
        ) : (
          counts && <Badge>Strike until {formatDate(counts_until, READERS_ZONE)}</Badge>
        )}
      </p>
      <p className="wrap-anywhere">Reason: {reason}</p>
      {removed && kind !== "picture" && <p className="text-muted text-sm wrap-anywhere">It was: {removed}</p>}
      <Appealing sanction={sanction} />
    </li>
  );
}

/** The appeal and its answer, or a button to appeal. */
function Appealing({ sanction: { id, appeal, lifted_at } }: { sanction: OwnSanction }) {
  const refresh = useRefresh();
  const [isOpen, setOpen] = useState(false);
  if (appeal) {
    return (
      <OwnAppeal
        message={appeal.message}
        granted={appeal.answered_at === null ? null : appeal.granted === true}
        answer={appeal.answer}
        waiting="A moderator will answer here."
        className="text-sm"
      />
    );
  }
  if (lifted_at) return null;
  if (isOpen)
    return (
      <AppealForm
        of={id}
        label="Why was it wrong?"
        where="here"
        send={(client, message) => client.from("appeals").insert({ sanction_id: id, message })}
        onSent={() => {
          setOpen(false);
          void refresh("sanctions");
        }}
        onCancel={() => setOpen(false)}
      />
    );
  return (
    <Button size="sm" className="justify-self-start" onClick={() => setOpen(true)}>
      This was wrong…
    </Button>
  );
}

/** The user's sanctions, latest first, with their appeals. @throws the service's error */
async function readOwnSanctions(client: SessionClient, userId: string) {
  const { data } = await client
    .from("sanctions")
    .select(
      "id, kind, reason, removed, until, created_at, counts_until, lifted_at, appeal:appeals(message, granted, answer, answered_at)",
    )
    .eq("user_id", userId)
    .order("created_at", { ascending: false })
    .limit(20)
    .throwOnError();
  return data;
}

type OwnSanction = Awaited<ReturnType<typeof readOwnSanctions>>[number];
