import type { Session, UserIdentity } from "@supabase/supabase-js";
import { listVerifiedFactors } from "#app/features/session/second-factor.ts";
import { linkedOf, nameOf } from "#app/features/sign-in/linked-identities.ts";
import { usePasskeys } from "#app/features/sign-in/use-passkeys.ts";
import { formatDate } from "#domain/text/dates.ts";

/** The account's sign-in methods, for users who had to recover it: what stays, and what the new password ends. */
export function SignInMethods({ session: { user } }: { session: Session }) {
  const [passkeys] = usePasskeys();
  const factors = listVerifiedFactors({ user });
  const linked = linkedOf(user);
  // A provider with the same email address, which was just verified.
  const vouches = ({ identity_data: data }: UserIdentity) =>
    data?.email === user.email && data?.email_verified === true;
  const removed = Array.isArray(passkeys) ? passkeys : [];
  return (
    <div className="grid gap-3 text-sm">
      <div>
        <h2 className="font-semibold">Stays</h2>
        <ul className="list-disc pl-5">
          <li className="wrap-anywhere">Your email: {user.email}</li>
          {linked.filter(vouches).map(({ provider }) => (
            <li key={provider}>Signing in with {nameOf(provider)}</li>
          ))}
          {factors.map(({ id, friendly_name, created_at }) => (
            <li key={id} className="wrap-anywhere">
              Second factor “{friendly_name}”, added {formatDate(created_at)}
            </li>
          ))}
        </ul>
      </div>
      <div>
        <h2 className="font-semibold">Ends when you save</h2>
        <ul className="list-disc pl-5">
          <li>Your old password, and every other session</li>
          {linked
            .filter((identity) => !vouches(identity))
            .map(({ provider }) => (
              <li key={provider}>Signing in with {nameOf(provider)}</li>
            ))}
          {removed.map(({ id, friendly_name, created_at }) => (
            <li key={id} className="wrap-anywhere">
              Passkey “{friendly_name || "Passkey"}”, added {formatDate(created_at)}
            </li>
          ))}
          {passkeys === "failed" && <li>Every passkey on the account</li>}
        </ul>
        {removed.length > 0 && <p className="text-muted">You can add your own passkeys again afterward.</p>}
      </div>
    </div>
  );
}
