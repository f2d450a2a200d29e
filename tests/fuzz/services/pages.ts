import { readdirSync } from "node:fs";
import type { RouteConfigEntry } from "@react-router/dev/routes";
import pages from "#app/routes.ts";
import type { Chance } from "#tests/helpers/chance.ts";
import { type FuzzRequest, get, send } from "../fuzz-request.ts";
import { mutateRequest } from "../mutate.ts";
import { oddText } from "../odd-values.ts";

const PATTERNS = (pages as RouteConfigEntry[])
  .map(({ path }) => `/${path ?? ""}`)
  .filter((path) => path !== "/*");
const OTHERS = [
  "/live",
  "/healthz",
  "/readyz",
  "/livez",
  "/policy-reports",
  "/favicon.ico",
  "/assets/nope.js",
  "/metrics",
  "/_root.data",
  "/__manifest",
];
const NAMES: Record<string, string[]> = {
  ":slug": ["kitsune", "dragon", "nope", "KITSUNE"],
  ":username": ["SwiftOtter100", "nobody"],
  ":file": ["changes.atom", "changes.json", "kitsune.png", "nope.png"],
  ":placement": ["home", "x"],
};
const QUERY: Record<string, readonly string[]> = {
  q: ["kit", "a", "zzzz"],
  sort: ["name", "value", "demand", "rating", "newest"],
  category: ["fruits", "gamepasses"],
  demand: ["high", "5"],
  rarity: ["mythical"],
  kind: ["fruit"],
  mode: ["permanent", "regular"],
  page: ["1", "2", "99999"],
  before: ["2026-11-22T04:00:00Z", "1"],
  size: ["5"],
  item: ["kitsune"],
  you: ["kitsune", "kitsune.2,dragon-permanent", "kitsune:2"],
  them: ["dragon", "dragon,dragon"],
  _routes: ["routes/values/route", "root", "x"],
  mails: ["1"],
  token: ["x"],
  key: ["x"],
  next: ["/account", "//example.org"],
};
const QUERY_NAMES = Object.keys(QUERY);
const PUBLIC = readdirSync("public").map((name) => `/${name}`);

/** Every page with the parameters it reads, plus data requests, files and neighboring addresses; then mutated. */
export function fuzzPages(chance: Chance): FuzzRequest {
  const roll = chance.random();
  const pattern =
    roll < 0.85 ? chance.pick(PATTERNS) : roll < 0.95 ? chance.pick(OTHERS) : chance.pick(PUBLIC);
  if (pattern === "/policy-reports") return mutateRequest(chance, report(chance));
  let path = pattern.replace(/:\w+/, (name) => chance.pick(NAMES[name] ?? ["x"]));
  if (chance.chance(0.2)) path = path === "/" ? "/_root.data" : `${path}.data`;
  const request = get(path, [], "nobody");
  while (chance.chance(0.45)) {
    const name = chance.pick(QUERY_NAMES);
    request.query.push([name, chance.chance(0.8) ? chance.pick(QUERY[name] ?? []) : oddText(chance)]);
  }
  if (chance.chance(0.3))
    request.headers["accept-encoding"] = chance.pick(["br", "gzip", "zstd", "identity"]);
  if (chance.chance(0.05)) request.method = chance.pick(["POST", "HEAD", "PUT", "OPTIONS"]);
  return mutateRequest(chance, request);
}

function report(chance: Chance): FuzzRequest {
  const params = {
    "document-uri": "http://localhost/values",
    "effective-directive": "script-src",
    "blocked-uri": chance.pick(["inline", "https://example.org/x.js"]),
  };
  const request = chance.chance(0.5)
    ? send("POST", "/policy-reports", { "csp-report": params }, "nobody")
    : send(
        "POST",
        "/policy-reports",
        [
          {
            type: "csp-violation",
            url: "http://localhost/values",
            body: { effectiveDirective: "script-src", blockedURL: "inline" },
          },
        ],
        "nobody",
      );
  request.headers["content-type"] = chance.pick(["application/csp-report", "application/reports+json"]);
  return request;
}
