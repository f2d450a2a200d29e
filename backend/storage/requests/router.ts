import { invalidKey } from "../storage-error.ts";
import type { Endpoint } from "./call.ts";

/** `"POST /object/{bucket}/{path*}"` → what answers there; a star takes the rest of the path. The first match wins. */
export type Routes = Readonly<Record<string, Endpoint>>;

export type Match = { endpoint: Endpoint; params: Record<string, string> };

type Route = { method: string; pattern: RegExp; endpoint: Endpoint };

/** Gives the endpoint of a method and a path as it was sent, or null. @throws StorageError for a path that is not UTF-8 */
export function createRouter(routes: Routes): (method: string, path: string) => Match | null {
  const compiled = Object.entries(routes).map(([key, endpoint]) => compile(key, endpoint));
  return (method, path) => {
    for (const route of compiled) {
      if (route.method !== method) continue;
      const match = route.pattern.exec(path);
      if (match) return { endpoint: route.endpoint, params: decode(match.groups ?? {}) };
    }
    return null;
  };
}

function compile(key: string, endpoint: Endpoint): Route {
  const [method = "", path = ""] = key.split(" ");
  const pattern = path.replace(/\{(\w+)\*\}/g, "(?<$1>.+)").replace(/\{(\w+)\}/g, "(?<$1>[^/]+)");
  return { method, pattern: new RegExp(`^${pattern}${path.endsWith("*}") ? "" : "/?"}$`), endpoint };
}

function decode(groups: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(groups).map(([name, text]) => [name, decodeOnce(text)]));
}

function decodeOnce(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw invalidKey(text);
  }
}
