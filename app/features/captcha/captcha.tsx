import { lazy, Suspense } from "react";
import { useSiteConfig } from "#app/features/site/use-site-config.ts";
import { useHydrated } from "#app/ui/use-hydrated.ts";

// Loaded only on sites that use a captcha.
const CaptchaWidget = lazy(async () => ({ default: (await import("./captcha-widget.tsx")).CaptchaWidget }));

/** The captcha, if the operator configured one, for screens that sign in, sign up or request emails. */
export function Captcha() {
  const { captcha } = useSiteConfig();
  const hydrated = useHydrated();
  if (!captcha || !hydrated) return null;
  return (
    <Suspense>
      <CaptchaWidget {...captcha} />
    </Suspense>
  );
}
