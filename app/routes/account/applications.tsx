import type { OAuthGrant } from "@supabase/supabase-js";
import { DateText } from "#app/features/items/date-text.tsx";
import { useOwnRead } from "#app/features/session/use-own-read.ts";
import { showToast } from "#app/ui/toast/toast-store.ts";
import { OwnRow, Unread } from "./own-list.tsx";
import { Removal } from "./removal.tsx";

/** The applications with access, each with a button to revoke it. */
export function Applications() {
  const [grants, readAgain] = useOwnRead(
    async (client) => (await client.auth.oauth.listGrants()).data ?? "failed",
  );
  if (grants === "reading" || grants === "failed")
    return <Unread what="applications" state={grants} readAgain={readAgain} />;
  if (grants.length === 0) {
    return <p className="text-muted">You haven’t given any application access.</p>;
  }
  return (
    <>
      <p className="text-muted">These applications can see and change your saved trades.</p>
      <ul aria-label="Applications" className="grid">
        {grants.map((grant) => (
          <ApplicationRow key={grant.client.id} grant={grant} onRemoved={readAgain} />
        ))}
      </ul>
    </>
  );
}

function ApplicationRow({ grant, onRemoved }: { grant: OAuthGrant; onRemoved: () => void }) {
  const { client, scopes, granted_at: since } = grant;
  const name = client.name || client.uri || "Application without a name";
  const knows = WORDS.filter(([scope]) => scopes.includes(scope)).map(([, words]) => words);
  const removal = (
    <Removal
      name={name}
      remove={(session) => session.auth.oauth.revokeGrant({ clientId: client.id })}
      onRemoved={() => {
        showToast({ title: "Application removed" });
        onRemoved();
      }}
    >
      It loses access right away. What it already did stays.
    </Removal>
  );
  return (
    <OwnRow name={name} act={removal}>
      Since <DateText date={since} />
      {knows.length > 0 && `; knows ${knows.join(", ")}`}
    </OwnRow>
  );
}

const WORDS: readonly [scope: string, words: string][] = [
  ["email", "your email address"],
  ["phone", "your phone number"],
  ["profile", "your name and picture"],
];
