import type { AuthTestServer } from "./auth-server.ts";

const MOST_STEPS = 12;

/** A browser with cookies, as far as a sign-in at a provider needs one: it follows redirects and sends forms. */
export type ProviderBrowser = {
  /** Goes to an address and on from there, to the site's page in the end, or to `until`. */
  go(address: string, until?: (url: URL) => boolean): Promise<URL>;
  /** Keeps the cookies of an answer that a page's script got. */
  keep(address: string, headers: Headers): void;
  /** Another one with the same cookies. */
  copy(): ProviderBrowser;
};

/** @param server answers for `http://backend.test`; every other host but the site's is really asked */
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

/** The fields of a page that sends its form by itself. */
function readForm(page: string): URLSearchParams | null {
  const fields = [...page.matchAll(/<input[^>]*name="([^"]*)"[^>]*value="([^"]*)"/g)];
  return fields.length === 0
    ? null
    : new URLSearchParams(fields.map(([, name = "", value = ""]) => [name, value]));
}

function readAction(page: string): string {
  return /<form[^>]*action="([^"]*)"/.exec(page)?.[1] ?? "";
}
