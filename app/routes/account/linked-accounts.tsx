import type { Provider, User, UserIdentity } from "@supabase/supabase-js";
import { useEffect } from "react";
import { DateText } from "#app/features/items/date-text.tsx";
import { LINKED } from "#app/features/session/link-answer.ts";
import { SessionButton } from "#app/features/session/session-button.tsx";
import type { SessionClient } from "#app/features/session/session-client.ts";
import { changeSession } from "#app/features/session/session-store.ts";
import { useSession } from "#app/features/session/use-session.ts";
import { linkedOf, nameOf } from "#app/features/sign-in/linked-identities.ts";
import type { SignInProvider } from "#app/features/sign-in/sign-in-provider.ts";
import { showToast } from "#app/ui/toast/toast-store.ts";
import { OwnRow } from "./own-list.tsx";
import { Removal } from "./removal.tsx";

/** The linked accounts, and the providers that can be linked; the only sign-in method cannot be removed. */
export function LinkedAccounts({ user, providers }: { user: User; providers: readonly SignInProvider[] }) {
  const linked = linkedOf(user);
  const others = providers.filter(({ id }) => !linked.some(({ provider }) => provider === id));
  return (
    <>
      <p className="text-muted">
        Sign in with an account you have on another service. Nobody here sees it, and we never copy its name
        or picture.
      </p>
      <Notice />
      {linked.length === 0 ? (
        <p>No other account is linked.</p>
      ) : (
        <ul aria-label="Linked accounts" className="grid">
          {linked.map((identity) => (
            <LinkedRow
              key={identity.identity_id}
              identity={identity}
              name={nameOf(identity.provider, providers)}
              isOnly={user.identities?.length === 1}
            />
          ))}
        </ul>
      )}
      {others.length > 0 && (
        <div className="flex flex-wrap gap-3">
          {others.map((provider) => (
            <LinkButton key={provider.id} provider={provider} />
          ))}
        </div>
      )}
    </>
  );
}

/** Why linking failed, for users who came back without it. */
function Notice() {
  const { linkingFault } = useSession();
  useEffect(() => () => changeSession({ linkingFault: null }), []);
  if (!linkingFault) return null;
  return (
    <p role="alert" className="rounded-md border-danger border-l-4 bg-sunken px-4 py-3">
      {linkingFault}
    </p>
  );
}

function LinkedRow({ identity, name, isOnly }: { identity: UserIdentity; name: string; isOnly: boolean }) {
  const { created_at: added, last_sign_in_at: used } = identity;
  const removal = (
    <Removal
      name={name}
      remove={(client) => unlink(client, identity)}
      onRemoved={() => showToast({ title: `${name} is no longer linked` })}
    >
      You can no longer sign in here with your {name} account. Your account here stays as it is.
    </Removal>
  );
  return (
    <OwnRow name={name} act={isOnly ? null : removal}>
      {added && (
        <>
          Linked <DateText date={added} />
        </>
      )}
      {used && (
        <>
          , last used <DateText date={used} />
        </>
      )}
      {isOnly && (
        <span className="block text-ink">
          It is your only way in. Before you remove it, set a password or link another one.
        </span>
      )}
    </OwnRow>
  );
}

async function unlink(client: SessionClient, identity: UserIdentity) {
  const answer = await client.auth.unlinkIdentity(identity);
  // The session still has the former user object.
  if (!answer.error) await client.auth.refreshSession();
  return answer;
}

function LinkButton({ provider }: { provider: SignInProvider }) {
  return (
    <SessionButton
      busy="One moment…"
      send={(client) =>
        client.auth.linkIdentity({
          provider: provider.id as Provider,
          options: { redirectTo: `${window.location.origin}/account?${LINKED}=${provider.id}` },
        })
      }
    >
      {`Link ${provider.name}`}
    </SessionButton>
  );
}
