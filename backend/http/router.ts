/** `"POST /factors/{id}/verify"` → its endpoint; `{path*}` matches the rest of the path. The first match wins. */
export type Routes<Endpoint> = Readonly<Record<string, Endpoint>>;

export type Match<Endpoint> = { endpoint: Endpoint; params: Record<string, string> };

/** Finds the endpoint for a method and a raw path; `decode` is applied to path parameters. */
export function createRouter<Endpoint>(
  routes: Routes<Endpoint>,
  decode: (text: string) => string = (text) => text,
): (method: string, path: string) => Match<Endpoint> | null {
  const compiled = Object.entries(routes).map(([key, endpoint]) => {
    const [method = "", path = ""] = key.split(" ");
    return { method, pattern: compile(path), endpoint };
  });
  return (method, path) => {
    for (const route of compiled) {
      const match = route.method === method ? route.pattern.exec(path) : null;
      if (!match) continue;
      const params = Object.entries(match.groups ?? {}).map(([name, text]) => [name, decode(text)]);
      return { endpoint: route.endpoint, params: Object.fromEntries(params) };
    }
    return null;
  };
}

/** The same routes with each endpoint mapped. */
export function mapRoutes<From, To>(
  routes: Routes<From>,
  make: (endpoint: From, route: string) => To,
): Routes<To> {
  return Object.fromEntries(
    Object.entries(routes).map(([route, endpoint]) => [route, make(endpoint, route)]),
  );
}

function compile(path: string): RegExp {
  const pattern = path
    .replaceAll(".", "\\.")
    .replace(/\{(\w+)\*\}/g, "(?<$1>.+)")
    .replace(/\{(\w+)\}/g, "(?<$1>[^/]+)");
  return new RegExp(`^${pattern}${path.endsWith("*}") ? "" : "/?"}$`);
}
