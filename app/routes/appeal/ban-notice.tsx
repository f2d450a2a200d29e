import { useCallback, useEffect, useRef, useState } from "react";
import { OwnAppeal } from "#app/features/appeals/own-appeal.tsx";
import { useKeptTexts } from "#app/features/browser-storage/use-kept-texts.ts";
import { openSession } from "#app/features/session/open-session.ts";
import { siteNow } from "#app/features/session/site-clock.ts";
import { useSessionForm } from "#app/features/session/use-session-form.ts";
import { useSiteConfig } from "#app/features/site/use-site-config.ts";
import { Button } from "#app/ui/button.tsx";
import { Card } from "#app/ui/card.tsx";
import { Form } from "#app/ui/form/form.tsx";
import { TextArea } from "#app/ui/text-field.tsx";
import { showToast } from "#app/ui/toast/toast-store.ts";
import { appealSchema } from "#domain/moderation/appeal.ts";
import { formatDateTime } from "#domain/text/dates.ts";
import type { Database } from "#supabase/database.types.ts";

type Ban = Database["public"]["Functions"]["show_ban"]["Returns"][number];

/** What the key opens: null where it opens nothing, undefined until that is known; and how to read it again. */
function useBan(key: string): { ban: Ban | null | undefined; isFailed: boolean; readAgain(): Promise<void> } {
  const site = useSiteConfig();
  const [ban, setBan] = useState<Ban | null>();
  const [isFailed, setFailed] = useState(false);
  const readAgain = useCallback(async () => {
    try {
      const client = await openSession(site);
      const { data } = await client.rpc("show_ban", { key }).throwOnError();
      setBan(data[0] ?? null);
    } catch {
      setFailed(true);
    }
  }, [site, key]);
  useEffect(() => void readAgain(), [readAgain]);
  return { ban, isFailed, readAgain };
}

/** Until when and why an account is suspended, and the appeal against it. */
export default function BanNotice({ appealKey }: { appealKey: string }) {
  const { ban, isFailed, readAgain } = useBan(appealKey);
  if (ban === undefined) {
    if (isFailed)
      return <p role="alert">This can't be loaded right now. Please reload the page in a moment.</p>;
    return <p className="text-muted">One moment…</p>;
  }
  if (ban === null) return <p>This link doesn’t belong to a suspension.</p>;
  const { until, reason, lifted, appeal, granted, answer } = ban;
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const isOver = lifted || (until !== "infinity" && Date.parse(until) <= siteNow());
  return (
    <Card as="section" className="grid max-w-prose gap-4">
      <p className="font-semibold text-lg">
        {isOver
          ? "The suspension is over. You can log in again."
          : until === "infinity"
            ? "This account is suspended for good."
            : `This account is suspended. You can log in again on ${formatDateTime(until, zone)}.`}
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
      {!appeal && !isOver && <AppealForm appealKey={appealKey} onSent={readAgain} />}
    </Card>
  );
}

function AppealForm({ appealKey, onSent }: { appealKey: string; onSent(): Promise<void> }) {
  const element = useRef<HTMLFormElement>(null);
  const forget = useKeptTexts(element, `appeal ${appealKey}`);
  const { form, button } = useSessionForm({
    schema: appealSchema,
    invalidTitle: undefined,
    send: (client, { message }) => client.rpc("appeal_ban", { key: appealKey, message }),
    async done() {
      forget();
      showToast({
        title: "Appeal sent",
        description: "Another moderator will read it and answer on this page.",
      });
      await onSent();
    },
  });
  return (
    <Form {...form} ref={element} className="grid gap-3">
      <TextArea
        label="Was it wrong? Say why"
        name="message"
        required
        rows={4}
        hint="You can appeal only once."
      />
      <Button {...button} variant="primary" className="justify-self-start">
        Send appeal
      </Button>
    </Form>
  );
}
