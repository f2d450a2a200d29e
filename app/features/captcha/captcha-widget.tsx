import { useCallback, useEffect, useRef, useState } from "react";
import type { SiteCaptcha } from "#app/features/site/site-config.ts";
import { Button } from "#app/ui/button.tsx";
import { showWidget } from "./captcha-store.ts";

/** The API that both providers' scripts share. */
type Api = {
  render(box: HTMLElement, options: Record<string, unknown>): string;
  reset(id: string): void;
  remove(id: string): void;
};

const SCRIPTS = {
  hcaptcha: "https://js.hcaptcha.com/1/api.js?render=explicit&onload=captchaIsThere",
  turnstile: "https://challenges.cloudflare.com/turnstile/v0/api.js?render=explicit&onload=captchaIsThere",
};
const PATIENCE_MS = 15_000;

type Makers = Partial<Record<SiteCaptcha["maker"], Api>> & { captchaIsThere?: () => void };
const makers = () => window as unknown as Makers;

/** One script per page; a failed load can be retried. */
let loading: Promise<Api> | null = null;

function loadApi(maker: SiteCaptcha["maker"]): Promise<Api> {
  loading ??= new Promise<Api>((resolve, reject) => {
    const script = document.createElement("script");
    const fail = () => {
      clearTimeout(timer);
      loading = null;
      script.remove();
      reject(new Error("the captcha's script did not come"));
    };
    const timer = setTimeout(fail, PATIENCE_MS);
    makers().captchaIsThere = () => {
      clearTimeout(timer);
      const api = makers()[maker];
      if (api) resolve(api);
      else fail();
    };
    script.onerror = fail;
    script.src = SCRIPTS[maker];
    document.head.append(script);
  });
  return loading;
}

/** The provider's widget, or the reason why it is missing. */
export function CaptchaWidget({ maker, siteKey }: SiteCaptcha) {
  const box = useRef<HTMLDivElement>(null);
  const [hasFailed, setFailed] = useState(false);
  const [tries, setTries] = useState(0);
  const begin = useCallback(() => {
    let api: Api | null = null;
    let id = "";
    const shown = showWidget(() => api?.reset(id));
    const lost = () => shown.solved(null);
    const isGone = { now: false };
    loadApi(maker)
      .then((loaded) => {
        if (isGone.now || !box.current) return;
        api = loaded;
        id = loaded.render(box.current, {
          sitekey: siteKey,
          callback: shown.solved,
          "expired-callback": lost,
          "error-callback": lost,
        });
      })
      .catch(() => setFailed(true));
    return () => {
      isGone.now = true;
      shown.gone();
      api?.remove(id);
    };
  }, [maker, siteKey]);
  // A retry starts over.
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  useEffect(begin, [begin, tries]);
  if (!hasFailed) return <div ref={box} data-slot="captcha" />;
  return (
    <div role="alert" className="grid justify-items-start gap-3 text-sm">
      <p>
        The captcha can’t be loaded, and signing in needs it. This browser or network may be blocking{" "}
        {new URL(SCRIPTS[maker]).hostname}: allow it, then try again.
      </p>
      <Button
        size="sm"
        onClick={() => {
          setFailed(false);
          setTries(tries + 1);
        }}
      >
        Try again
      </Button>
    </div>
  );
}
