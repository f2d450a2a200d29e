import type { RequestListener } from "node:http";
import { readBody } from "#backend/http/read-body.ts";
import type { Log } from "#backend/log/log.ts";
import { type LogText, logText, quoteScrubbed } from "#backend/log/log-text.ts";
import { RateWindow } from "#backend/memory/rate-window.ts";
import type { NameRoute } from "../observation/name-route.ts";

/** A report has a few hundred bytes, and an address that it quotes a few thousand. */
const LONGEST = 16 * 1024;
/** Maximum reports read per minute; anybody may send them. */
const MOST = 120;
const WINDOW_MS = 60_000;
/** How long a repeated report is suppressed. */
const QUIET_MS = 3_600_000;
const MOST_KINDS = 200;

/** A report reduced to what is logged, one line each. */
type Refusal = { directive: LogText; blocked: LogText; page: LogText };

/**
 * Receives browsers' reports (CSP 3, `report-uri`) and logs each kind once an hour: which directive, which source, and
 * the page's pattern. The log line is a hint and no proof: anybody may send a report.
 */
export function createPolicyReports(
  name: NameRoute,
  log: Log,
  common: Record<string, string>,
): RequestListener {
  const kinds = new Map<string, { toldAt: number; since: number }>();
  const reads = new RateWindow(MOST, WINDOW_MS);

  function note({ directive, blocked, page }: Refusal): void {
    const kind = `${directive} ${blocked} ${page}`;
    const now = performance.now();
    const known = kinds.get(kind);
    if (known && now - known.toldAt < QUIET_MS) {
      known.since += 1;
      return;
    }
    if (!known && kinds.size >= MOST_KINDS) forgetReported(now);
    if (!known && kinds.size >= MOST_KINDS) return;
    kinds.set(kind, { toldAt: now, since: 0 });
    const again = known ? logText`, ${known.since} more since the last report` : logText``;
    log(
      logText`Browsers blocked ${blocked} on ${page} by the page's content security policy (${directive})${again}`,
      "warn",
    );
  }

  function forgetReported(now: number): void {
    for (const [kind, { toldAt }] of kinds) if (now - toldAt >= QUIET_MS) kinds.delete(kind);
  }

  return async (request, response) => {
    const answer = (status: number, close = false) =>
      void response
        .writeHead(status, { ...common, "content-length": "0", ...(close && { connection: "close" }) })
        .end();
    if (request.method !== "POST") return answer(405);
    if (!reads.take()) return answer(429, true);
    const body = await readBody(request, LONGEST, request.headers["content-length"]).catch(() => null);
    if (body === null) return void response.destroy();
    if (!(body instanceof Uint8Array)) return answer(413, true);
    const refusal = readRefusal(body, name);
    if (refusal === "broken") return answer(400);
    if (refusal) note(refusal);
    answer(204);
  };
}

/** Null for reports unrelated to the site, caused by visitors' browser extensions. */
function readRefusal(body: Uint8Array, name: NameRoute): Refusal | null | "broken" {
  const report = parseReport(body);
  if (!report) return "broken";
  const directive = /^[a-z-]{1,40}/.exec(
    textOf(report["effective-directive"] ?? report["violated-directive"]),
  );
  if (!directive) return "broken";
  const blocked = originOf(textOf(report["blocked-uri"]));
  const source = originOf(textOf(report["source-file"]));
  if (EXTENSION.test(blocked) || EXTENSION.test(source)) return null;
  const document = textOf(report["document-uri"]);
  const path = URL.canParse(document) ? new URL(document).pathname : "";
  return {
    directive: quoteScrubbed(directive[0]),
    blocked: quoteScrubbed(blocked || "something"),
    page: name("GET", path, 200).route,
  };
}

const EXTENSION = /extension/;

function parseReport(body: Uint8Array): Record<string, unknown> | null {
  try {
    const { "csp-report": report } = JSON.parse(Buffer.from(body).toString("utf8"));
    return typeof report === "object" && report !== null ? report : null;
  } catch {
    return null;
  }
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** Strips path and query, which may name a person; keeps `inline`, `eval` and bare schemes as they are. */
function originOf(uri: string): string {
  if (/^[a-z-]{1,30}$/.test(uri)) return uri;
  if (!URL.canParse(uri)) return "";
  const { protocol, host } = new URL(uri);
  return host ? `${protocol}//${host.slice(0, 100)}` : protocol.slice(0, -1);
}
