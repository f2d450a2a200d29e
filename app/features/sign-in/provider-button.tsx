import type { Provider } from "@supabase/supabase-js";
import { SessionButton } from "#app/features/session/session-button.tsx";
import type { SignInProvider } from "./sign-in-provider.ts";

type ProviderButtonProps = {
  provider: SignInProvider;
  /** The text before the provider's name, such as `Continue with`. */
  label: string;
  /** The path to which the provider redirects back. */
  returnTo: string;
};

/** Redirects to a provider to sign in there. */
export function ProviderButton({ provider, label, returnTo }: ProviderButtonProps) {
  return (
    <SessionButton
      formClass="grid"
      busy="One moment…"
      send={(client) =>
        client.auth.signInWithOAuth({
          provider: provider.id as Provider,
          options: { redirectTo: window.location.origin + returnTo },
        })
      }
    >
      {`${label} ${provider.name}`}
    </SessionButton>
  );
}
