import type { Provider } from "@supabase/supabase-js";
import { useSessionForm } from "#app/features/session/use-session-form.ts";
import { Button } from "#app/ui/button.tsx";
import { Form } from "#app/ui/form/form.tsx";
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
  const { form, button, isBusy } = useSessionForm({
    send: (client) =>
      client.auth.signInWithOAuth({
        provider: provider.id as Provider,
        options: { redirectTo: window.location.origin + returnTo },
      }),
  });
  return (
    <Form {...form} className="grid">
      <Button {...button}>{isBusy ? "One moment…" : `${label} ${provider.name}`}</Button>
    </Form>
  );
}
