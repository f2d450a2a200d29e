import type { Endpoint } from "./call.ts";

/** `"POST /factors/{id}/verify"` → what answers there. */
export type Routes = Readonly<Record<string, Endpoint>>;

export type Match = { endpoint: Endpoint; params: Record<string, string> };

type Route = { method: string; pattern: RegExp; endpoint: Endpoint };

/** Gives the endpoint of a method and path, or null. */
export function createRouter(routes: Routes): (method: string, path: string) => Match | null {
  const compiled = Object.entries(routes).map(([key, endpoint]) => compile(key, endpoint));
  return (method, path) => {
    for (const route of compiled) {
      if (route.method !== method) continue;
      const match = route.pattern.exec(path);
      if (match) return { endpoint: route.endpoint, params: { ...match.groups } };
    }
    return null;
  };
}

function compile(key: string, endpoint: Endpoint): Route {
  const [method = "", path = ""] = key.split(" ");
  const pattern = path.replaceAll(".", "\\.").replace(/\{(\w+)\}/g, "(?<$1>[^/]+)");
  return { method, pattern: new RegExp(`^${pattern}/?$`), endpoint };
}
