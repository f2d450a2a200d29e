/** The widget on the page, and its token once solved. */
type Widget = { token: string | null; reset(): void };

let widget: Widget | null = null;

/** Registers the page's widget; returns callbacks for its token and its removal. */
export function showWidget(reset: () => void): { solved(token: string | null): void; gone(): void } {
  const own: Widget = { token: null, reset };
  widget = own;
  return {
    solved(token) {
      own.token = token;
    },
    gone() {
      if (widget === own) widget = null;
    },
  };
}

/** The requests for which the auth service requires a captcha (auth/v1 has the same list). */
const ASKS =
  /\/auth\/v1\/(signup|otp|magiclink|recover|resend|passkeys\/authentication\/options|token\?grant_type=password)\b/;

/**
 * A `fetch` that adds the captcha token to every request that needs one, so that no form can forget it. A token is
 * valid once, so the widget resets after each response. Without a widget on the page, requests are sent unchanged.
 */
export function withCaptcha(send: typeof fetch): typeof fetch {
  return async (input, init) => {
    const url = input instanceof Request ? input.url : String(input);
    const shown = widget;
    if (!shown || !ASKS.test(url) || typeof init?.body !== "string") return send(input, init);
    if (shown.token === null) return refuse();
    const body = { ...JSON.parse(init.body), gotrue_meta_security: { captcha_token: shown.token } };
    shown.token = null;
    try {
      return await send(input, { ...init, body: JSON.stringify(body) });
    } finally {
      shown.reset();
    }
  };
}

/** The service's own refusal, without a request. */
function refuse(): Response {
  const body = { code: "captcha_failed", message: "Please solve the captcha below first." };
  return new Response(JSON.stringify(body), {
    status: 400,
    headers: { "content-type": "application/json", "x-supabase-api-version": "2024-01-01" },
  });
}
