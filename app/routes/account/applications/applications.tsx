import type { OAuthGrant } from "@supabase/supabase-js";
import { showToast } from "#app/ui/toast/toast-store.ts";
import { formatDate } from "#domain/text/dates.ts";
import { Removal } from "../removal.tsx";
import { Unread } from "../unread.tsx";
import { useApplications } from "./use-applications.ts";

/** The applications that were let in, each with a way to put it out. */
export function Applications() {
  const { applications, readAgain } = useApplications();
  if (applications === "reading" || applications === "failed")
    return <Unread what="applications" state={applications} readAgain={readAgain} />;
  if (applications.length === 0) {
    return <p className="text-muted">You haven’t given any application access.</p>;
  }
  return (
    <>
      <p className="text-muted">These applications can see and change your saved trades.</p>
      <ul aria-label="Applications" className="grid">
        {applications.map((grant) => (
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
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 border-line border-b py-2.5">
      <div className="wrap-anywhere min-w-0">
        <p className="font-semibold">{name}</p>
        <p className="text-muted text-sm">
          Since <time dateTime={since}>{formatDate(since)}</time>
          {knows.length > 0 && `; knows ${knows.join(", ")}`}
        </p>
      </div>
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
    </li>
  );
}

const WORDS: readonly [scope: string, words: string][] = [
  ["email", "your email address"],
  ["phone", "your phone number"],
  ["profile", "your name and picture"],
];
