import { AppealForm } from "#app/features/appeals/appeal-form.tsx";
import { OwnAppeal } from "#app/features/appeals/own-appeal.tsx";
import { RetryNotice } from "#app/features/failed-reads/retry-notice.tsx";
import type { SessionClient } from "#app/features/session/session-client.ts";
import { useOwnRead } from "#app/features/session/use-own-read.ts";
import { siteNow } from "#app/features/site/site-clock.ts";
import { Card } from "#app/ui/card.tsx";
import { formatDateTime, READERS_ZONE } from "#domain/text/dates.ts";

/** Until when and why an account is suspended, and the appeal. */
export default function BanNotice({ appealKey }: { appealKey: string }) {
  const readBan = async (client: SessionClient) =>
    (await client.rpc("show_ban", { key: appealKey }).throwOnError()).data[0];
  const [ban, readAgain] = useOwnRead(readBan, { isKept: true });
  if (ban === "reading") return <p className="text-muted">One moment…</p>;
  if (ban === "failed") return <RetryNotice onRetry={readAgain}>This can’t be loaded right now.</RetryNotice>;
  if (!ban) return <p>This link doesn’t belong to a suspension.</p>;
  const { until, reason, lifted, appeal, granted, answer } = ban;
  const isOver = lifted || (until !== "infinity" && Date.parse(until) <= siteNow());
  return (
    <Card as="section" className="grid max-w-prose gap-4">
      <p className="font-semibold text-lg">
        {isOver
          ? "The suspension is over. You can log in again."
          : until === "infinity"
            ? "This account is suspended for good."
            : `This account is suspended. You can log in again on ${formatDateTime(until, READERS_ZONE)}.`}
      </p>
      <p className="wrap-anywhere">Reason: {reason}</p>
      {appeal && (
        <OwnAppeal
          message={appeal}
          granted={granted}
          answer={answer}
          waiting="A moderator will answer here. Bookmark this page to find it again."
        />
      )}
      {!appeal && !isOver && (
        <AppealForm
          of={appealKey}
          label="Was it wrong? Say why"
          where="on this page"
          send={(client, message) => client.rpc("appeal_ban", { key: appealKey, message })}
          onSent={readAgain}
        />
      )}
    </Card>
  );
}
