/** How long to wait if the service does not say, in seconds. */
const DEFAULT_WAIT = 30;

type Options = {
  send?: typeof fetch;
  /** Called when a service other than auth rejects the token. */
  onRefused(): void;
};

/**
 * A `fetch` for the official client, which decides by the device's clock when to refresh a token, and discards a
 * session whose refresh is refused. Here a token's expiry is translated to the device's clock, so that one that is
 * hours off refreshes neither endlessly nor too late; "too many requests" means waiting, not a refused session; and a
 * page of a proxy or network, which the client would show as the service's message or take for success, means no answer.
 */
export function createSessionFetch({
  send = (...request) => fetch(...request),
  onRefused,
}: Options): typeof fetch {
  /** By the monotonic clock. */
  let waitsUntil = 0;

  /** Fails where a network answers with a page of its own, to be logged in to or because it filters: no service does. */
  async function reach(...request: Parameters<typeof fetch>): Promise<Response> {
    const response = await send(...request);
    if (isPage(response)) throw new TypeError("No answer");
    return response;
  }

  async function refresh(...request: Parameters<typeof fetch>): Promise<Response> {
    if (performance.now() < waitsUntil) return notNow("Too many requests");
    const response = await reach(...request);
    if (response.status !== 429) return inOwnTime(response);
    const seconds = Number(response.headers.get("retry-after")) || DEFAULT_WAIT;
    waitsUntil = performance.now() + seconds * 1_000;
    return notNow(await response.text());
  }

  async function ask(...request: Parameters<typeof fetch>): Promise<Response> {
    const response = await reach(...request);
    if (response.status === 401) onRefused();
    // A proxy about a service that did not answer it: whether the request was carried out is unknown.
    if (isGatewayStatus(response.status) && !isJson(response)) throw new TypeError("No answer");
    return response;
  }

  return async (...request) => {
    const url = urlOf(request[0]);
    if (!url.includes("/auth/v1/")) return ask(...request);
    if (url.includes("grant_type=refresh_token")) return refresh(...request);
    return inOwnTime(await reach(...request));
  };
}

const urlOf = (input: RequestInfo | URL) => (input instanceof Request ? input.url : String(input));

const isGatewayStatus = (status: number) => status >= 502 && status <= 504;

const isPage = ({ headers }: Response) => headers.get("content-type")?.startsWith("text/html") === true;

const isJson = ({ headers }: Response) => headers.get("content-type")?.includes("json") === true;

/** What the client takes for a temporarily unavailable service. */
function notNow(body: string): Response {
  return new Response(body.startsWith("{") ? body : JSON.stringify({ message: body }), {
    status: 503,
    headers: { "content-type": "application/json" },
  });
}

async function inOwnTime(response: Response): Promise<Response> {
  if (!response.ok || !isJson(response)) return response;
  const text = await response.text();
  const { status, statusText, headers } = response;
  return new Response(toDeviceClock(text), { status, statusText, headers });
}

function toDeviceClock(text: string): string {
  const body: unknown = JSON.parse(text || "null");
  if (!isSession(body)) return text;
  return JSON.stringify({ ...body, expires_at: Math.round(Date.now() / 1_000) + body.expires_in });
}

function isSession(body: unknown): body is { expires_in: number } {
  return typeof body === "object" && body !== null && "access_token" in body && "expires_in" in body;
}
