import { useRead } from "#app/features/live/use-read.ts";
import type { SessionClient } from "#app/features/session/session-client.ts";
import { siteNow } from "#app/features/site/site-clock.ts";
import { useSiteNow } from "#app/features/site/use-site-now.ts";
import { Moment } from "#app/routes/admin/shared/moment.tsx";
import { ReadState } from "#app/routes/admin/shared/read-state.tsx";
import { requireRow } from "#app/routes/admin/shared/require-row.ts";
import { RowList } from "#app/routes/admin/shared/row-list.tsx";
import { useAct } from "#app/routes/admin/shared/use-act.ts";
import { Button } from "#app/ui/button.tsx";
import { endOf } from "./sanction-queries.ts";

/** Who is silenced now, until when and why. */
export function SilencesSection() {
  const silences = useRead(["chat_silences"], readSilences);
  const now = useSiteNow(silences.data?.map(({ until }) => endOf(until)));
  return (
    <ReadState read={silences} what="Silences">
      {(data) => (
        <RowList
          rows={data.filter(({ until }) => endOf(until) > now)}
          empty="Nobody is silenced."
          className="divide-y divide-line"
        >
          {(silence) => <SilenceRow key={silence.user_id} silence={silence} />}
        </RowList>
      )}
    </ReadState>
  );
}

function SilenceRow({ silence }: { silence: Silence }) {
  const { isBusy, act } = useAct("chat_silences", "sanctions");
  const { user_id, until, reason, created_at, admin } = silence;
  const username = silence.person.username;

  const lift = () =>
    act(
      (client) => liftSilence(client, user_id),
      "Silence lifted",
      `${username} can write in the chat again.`,
    );

  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 py-3">
      <div className="min-room-48 flex-1">
        <p>
          <span className="font-semibold">{username}</span>{" "}
          {until === "infinity" ? "for good" : <>until {<Moment at={until} />}</>}
        </p>
        <p className="wrap-anywhere">{reason}</p>
        <p className="text-muted text-sm">
          By {admin ?? "someone whose account is gone"}, <Moment at={created_at} />
        </p>
      </div>
      <div className="ml-auto flex gap-2">
        <Button
          size="sm"
          disabled={isBusy}
          aria-label={`Lift the silence of ${username}`}
          onClick={() => void lift()}
        >
          Lift
        </Button>
      </div>
    </li>
  );
}

/** The current silences with who imposed them, in the order in which they end. @throws the service's error */
async function readSilences(client: SessionClient) {
  const { data } = await client
    .from("chat_silences")
    .select("user_id, until, reason, created_at, person:profiles!chat_silences_user_id_fkey(username)")
    .gt("until", new Date(siteNow()).toISOString())
    .order("until")
    .order("user_id")
    .throwOnError();
  const { data: makers } = await client
    .rpc("list_silence_makers", { people: data.map(({ user_id }) => user_id) })
    .throwOnError();
  const nameOf = new Map(makers.map(({ user_id, username }) => [user_id, username]));
  return data.map((silence) => ({ ...silence, admin: nameOf.get(silence.user_id) ?? null }));
}

type Silence = Awaited<ReturnType<typeof readSilences>>[number];

async function liftSilence(client: SessionClient, userId: string): Promise<void> {
  const lifting = client.from("chat_silences").delete().eq("user_id", userId);
  requireRow(await lifting.select("user_id").maybeSingle(), "silence");
}
