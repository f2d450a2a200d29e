import { lazy, Suspense } from "react";
import { supportsPasskeys } from "#app/features/session/use-passkeys.ts";
import { useHydrated } from "#app/ui/use-hydrated.ts";

const PasskeySignIn = lazy(async () => ({
  default: (await import("./passkey-sign-in.tsx")).PasskeySignIn,
}));

/** Keeps room for the other way in until it is known whether this browser can go it. */
export function PasskeyEntry() {
  const hydrated = useHydrated();
  if (hydrated && !supportsPasskeys()) return null;
  return (
    <div className="mt-6 min-h-20.5">
      {hydrated && (
        <Suspense>
          <PasskeySignIn />
        </Suspense>
      )}
    </div>
  );
}
