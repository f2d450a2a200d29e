import type { Factor } from "@supabase/supabase-js";
import type { SessionClient } from "#app/features/session/session-client.ts";
import { showToast } from "#app/ui/toast/toast-store.ts";
import { formatDate } from "#domain/text/dates.ts";
import { Removal } from "../removal.tsx";

const TYPES: Record<string, string> = {
  totp: "Authenticator app",
  phone: "Text messages",
  webauthn: "Security key",
};

/** A factor that counts, and its removal. */
export function FactorRow({ factor, isLast }: { factor: Factor; isLast: boolean }) {
  const type = TYPES[factor.factor_type] ?? factor.factor_type;
  const name = factor.friendly_name || type;
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 border-line border-b py-2.5">
      <div className="min-w-0">
        <p className="wrap-anywhere font-semibold">{name}</p>
        <p className="text-muted text-sm">
          {name.startsWith(type) ? "Added" : `${type}, added`}{" "}
          <time dateTime={factor.created_at}>{formatDate(factor.created_at)}</time>
        </p>
      </div>
      <Removal
        name={name}
        remove={(client) => removeFactor(client, factor.id)}
        onRemoved={() => showToast({ title: "Second factor removed" })}
      >
        {isLast
          ? "This is your only second factor. Without it, your password alone is enough to sign in."
          : "It will no longer work for your account. Your other second factors stay."}
      </Removal>
    </li>
  );
}

/** The session goes on without it: its next token and its user say so. */
async function removeFactor(client: SessionClient, factorId: string) {
  const answer = await client.auth.mfa.unenroll({ factorId });
  return answer.error ? answer : await client.auth.refreshSession();
}
