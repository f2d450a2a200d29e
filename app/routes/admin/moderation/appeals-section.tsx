import { useId } from "react";
import { useKeptText } from "#app/features/browser-storage/use-kept-text.ts";
import { useRead } from "#app/features/live/use-read.ts";
import type { SessionClient } from "#app/features/session/session-client.ts";
import { useSession } from "#app/features/session/use-session.ts";
import { Moment } from "#app/routes/admin/shared/moment.tsx";
import { ReadState } from "#app/routes/admin/shared/read-state.tsx";
import { requireRow } from "#app/routes/admin/shared/require-row.ts";
import { RowList } from "#app/routes/admin/shared/row-list.tsx";
import { useAct } from "#app/routes/admin/shared/use-act.ts";
import { Button } from "#app/ui/button.tsx";
import { TextField } from "#app/ui/form/text-field.tsx";
import { COLUMN_LIMITS } from "#domain/text/column-limits.ts";
import { lengthOf } from "#domain/text/limits.ts";
import { SanctionWords } from "./case-record.tsx";

const LONGEST = COLUMN_LIMITS.appeals.answer;

/** Appeals against sanctions; answered by someone other than the moderator who imposed them. */
export function AppealsSection() {
  return (
    <ReadState read={useRead(["appeals"], readAppeals)} what="Appeals">
      {(data) => (
        <RowList rows={data} empty="No appeal waits for an answer." className="divide-y divide-line">
          {(appeal) => <AppealRow key={appeal.sanction_id} appeal={appeal} />}
        </RowList>
      )}
    </ReadState>
  );
}

function AppealRow({ appeal: { sanction_id, message, created_at, sanction } }: { appeal: Appeal }) {
  const { isBusy, act } = useAct("appeals", "sanctions", "reports");
  const kept = useKeptText(`answer ${sanction_id} by ${useSession().session?.user.id}`);
  const answer = kept.text ?? "";
  const isTooLong = lengthOf(answer) > LONGEST;
  const titleId = useId();

  async function reply(granted: boolean) {
    const isDone = await act(
      (client) => answerAppeal(client, sanction_id, { granted, answer }),
      granted ? "Appeal granted" : "Appeal refused",
    );
    if (isDone) kept.forget();
  }

  return (
    <li className="grid gap-3 py-4" aria-labelledby={titleId}>
      <p id={titleId}>
        <span className="font-semibold">{sanction.person.username}</span> appeals against:{" "}
        <SanctionWords sanction={sanction} /> <Moment at={created_at} className="text-muted text-sm" />
      </p>
      {sanction.removed && sanction.kind !== "picture" && (
        <p className="text-muted text-sm wrap-anywhere">What was taken away: {sanction.removed}</p>
      )}
      <blockquote className="whitespace-pre-wrap rounded-md border-accent border-l-4 bg-sunken px-4 py-3 wrap-anywhere">
        {message}
      </blockquote>
      <TextField
        label="Answer"
        autoComplete="off"
        hint="The person will read it. You can leave it empty."
        value={answer}
        limit={LONGEST}
        readOnly={isBusy}
        onChange={(event) => kept.type(event.target.value)}
      />
      <div className="flex flex-wrap gap-3">
        <Button size="sm" variant="primary" disabled={isBusy || isTooLong} onClick={() => void reply(true)}>
          Grant<span className="sr-only"> the appeal of {sanction.person.username}</span>
        </Button>
        <Button size="sm" disabled={isBusy || isTooLong} onClick={() => void reply(false)}>
          Refuse<span className="sr-only"> the appeal of {sanction.person.username}</span>
        </Button>
      </div>
    </li>
  );
}

/** Appeals that wait for an answer, oldest first. @throws the service's error */
async function readAppeals(client: SessionClient) {
  const { data } = await client
    .from("appeals")
    .select(
      "sanction_id, message, created_at, sanction:sanctions(kind, code, reason, removed, until, created_at, person:profiles!sanctions_user_id_fkey(username))",
    )
    .is("answered_at", null)
    .order("created_at")
    .throwOnError();
  return data;
}

type Appeal = Awaited<ReturnType<typeof readAppeals>>[number];

/** Answers an appeal, once; granting it lifts the sanction. */
async function answerAppeal(
  client: SessionClient,
  sanctionId: string,
  { granted, answer }: { granted: boolean; answer: string },
): Promise<void> {
  const answering = client.from("appeals").update({ granted, answer }).eq("sanction_id", sanctionId);
  requireRow(await answering.select("sanction_id").maybeSingle(), "appeal");
}
