/** The widget on the page, and what it says when it is solved. */
type Widget = { token: string | null; reset(): void };

let widget: Widget | null = null;

/** Registers the page's widget; returns how it goes. */
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

/** What the auth service asks the solved captcha of (auth/v1 has the same list). */
const ASKS =
  /\/auth\/v1\/(signup|otp|magiclink|recover|resend|passkeys\/authentication\/options|token\?grant_type=password)\b/;

/**
 * `fetch` that adds the solved captcha wherever the service wants one, so that no form can forget it. A token is good once:
 * the widget begins anew after each answer. A page without a widget sends as it is.
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

/** As the service would refuse it, without asking. */
function refuse(): Response {
  const body = { code: "captcha_failed", message: "Please solve the captcha below first." };
  return new Response(JSON.stringify(body), {
    status: 400,
    headers: { "content-type": "application/json", "x-supabase-api-version": "2024-01-01" },
  });
}
