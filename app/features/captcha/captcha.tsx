import { lazy, Suspense } from "react";
import { useSiteConfig } from "#app/features/site/use-site-config.ts";
import { useHydrated } from "#app/ui/use-hydrated.ts";

// For sites that ask for one only.
const CaptchaWidget = lazy(async () => ({ default: (await import("./captcha-widget.tsx")).CaptchaWidget }));

/** The captcha of this site, where its operator wants one: for screens with forms that sign in or up or ask for mails. */
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
