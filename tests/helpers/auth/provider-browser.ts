import type { AuthTestServer } from "./auth-server.ts";

const MOST_STEPS = 12;

/** A minimal browser for provider sign-ins: keeps cookies, follows redirects and submits forms. */
export type ProviderBrowser = {
  /** Opens an address and follows it until it reaches the site's page, or until `until` returns true. */
  go(address: string, until?: (url: URL) => boolean): Promise<URL>;
  /** Stores the cookies of a response that a page's script received. */
  keep(address: string, headers: Headers): void;
  /** A second browser with the same cookies. */
  copy(): ProviderBrowser;
};

/**
 * @param server answers requests to `http://backend.test`; requests to other hosts, except the site's, go over the
 * network
 */
export function openBrowser(
  server: Pick<AuthTestServer, "request">,
  jars = new Map<string, Map<string, string>>(),
): ProviderBrowser {
  function keep(address: string, headers: Headers): void {
    const { origin } = new URL(address);
    const jar = jars.get(origin) ?? new Map<string, string>();
    jars.set(origin, jar);
    for (const cookie of headers.getSetCookie()) {
      const [name = "", value = ""] = (cookie.split(";", 1)[0] ?? "").split(/=(.*)/s);
      if (value === "") jar.delete(name);
      else jar.set(name, value);
    }
  }

  async function ask(url: URL, form: URLSearchParams | null): Promise<{ headers: Headers; text: string }> {
    const jar = [...(jars.get(url.origin) ?? [])].map(([name, value]) => `${name}=${value}`).join("; ");
    const headers = { cookie: jar, ...(form && { "content-type": "application/x-www-form-urlencoded" }) };
    const method = form ? "POST" : "GET";
    if (url.hostname === "backend.test") {
      const path = url.pathname.replace("/auth/v1", "") + url.search;
      const answer = await server.request(method, path, {
        headers: { ...headers, apikey: "" },
        ...(form && { body: form.toString() }),
      });
      return { headers: answer.headers, text: "" };
    }
    const answer = await fetch(url, { method, headers, redirect: "manual", ...(form && { body: form }) });
    return { headers: answer.headers, text: await answer.text() };
  }

  return {
    keep,
    copy: () => openBrowser(server, new Map([...jars].map(([origin, jar]) => [origin, new Map(jar)]))),
    async go(address, until = ({ hostname }) => hostname !== "backend.test" && hostname !== "127.0.0.1") {
      let url = new URL(address);
      let form: URLSearchParams | null = null;
      for (let step = 0; step < MOST_STEPS; step += 1) {
        if (until(url)) return url;
        const { headers, text } = await ask(url, form);
        keep(url.href, headers);
        const location = headers.get("location");
        form = location ? null : readForm(text);
        if (!location && !form) throw new Error(`${url.href} leads nowhere: ${text.slice(0, 300)}`);
        url = new URL(location ?? readAction(text), url);
      }
      throw new Error(`no end of redirects at ${url.href}`);
    },
  };
}

/** The fields of a page that submits its form automatically; null if it has none. */
function readForm(page: string): URLSearchParams | null {
  const fields = [...page.matchAll(/<input[^>]*name="([^"]*)"[^>]*value="([^"]*)"/g)];
  return fields.length === 0
    ? null
    : new URLSearchParams(fields.map(([, name = "", value = ""]) => [name, value]));
}

function readAction(page: string): string {
  return /<form[^>]*action="([^"]*)"/.exec(page)?.[1] ?? "";
}
