import { ProviderButton } from "#app/features/session/provider-button.tsx";
import type { SignInProvider } from "#app/features/session/sign-in-provider.ts";

/** The services that young players have an account at already; the same for signing in and up. */
export function ProviderEntry({ providers }: { providers: readonly SignInProvider[] }) {
  if (providers.length === 0) return null;
  return (
    <div className="grid gap-3">
      {providers.map((provider) => (
        <ProviderButton key={provider.id} provider={provider} label="Continue with" returnTo="/auth" />
      ))}
      <p className="flex items-center gap-3 pt-3 text-muted text-sm before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
        or with your email
      </p>
    </div>
  );
}
