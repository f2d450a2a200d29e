// The arrows of the tree (README, "The tree"), held by `npm run check`.
// Type-only imports count too: knowing another layer's types is knowing the layer.

const ours = "^(app|backend|bench|domain|server|supabase|tests|scripts)/";
const isTest = "[.]test[.]tsx?$";
const testHelpers = "^tests/helpers/";

/** What the auth service is composed of, each on its own. */
const AUTH_TOOLS = "limits|messages|passwords|webauthn|hooks|provider-protocols";

/** A layer's own code, without its tests, may reach only what `to` names. */
function onlyReaches(name, from, to, comment) {
  return {
    name,
    comment,
    severity: "error",
    from: { path: from, pathNot: isTest },
    to: { path: ours, pathNot: [from, ...to] },
  };
}

function neverReaches(name, from, to, comment) {
  return { name, comment, severity: "error", from: { path: from, pathNot: isTest }, to: { path: to } };
}

module.exports = {
  forbidden: [
    { name: "no-cycles", severity: "error", from: {}, to: { circular: true } },
    {
      name: "resolvable",
      severity: "error",
      from: {},
      to: { couldNotResolve: true, pathNot: "^[.]/[+]types|^virtual:|^@cut-fonts/" },
    },
    onlyReaches("domain-alone", "^domain/", [], "The product's rules import nothing of ours."),
    onlyReaches("backend-alone", "^backend/", [], "The backend is generic: no app, no domain, no server."),
    onlyReaches(
      "app-arrows",
      "^app/",
      ["^domain/", "^supabase/database[.]types[.]ts$"],
      "The site knows the backend by URL and key only.",
    ),
    onlyReaches(
      "server-arrows",
      "^server/",
      ["^app/", "^backend/", "^domain/", "^supabase/"],
      "The process composes; nothing of tests or benches runs in it.",
    ),
    onlyReaches(
      "supabase-alone",
      "^supabase/",
      [],
      "The database's files stand alone, as the Supabase CLI sees them.",
    ),
    neverReaches(
      "features-below-routes",
      "^app/features/",
      "^app/(routes|root|frame)",
      "routes → features → ui",
    ),
    neverReaches(
      "ui-at-the-bottom",
      "^app/ui/",
      "^app/(routes|features|root|frame)",
      "routes → features → ui",
    ),
    neverReaches(
      "frame-is-the-roots",
      "^app/routes/",
      "^app/frame/",
      "Only root.tsx puts the frame around the pages.",
    ),
    {
      name: "routes-apart",
      comment: "What two screens share belongs to a feature.",
      severity: "error",
      from: { path: "^app/routes/([^/]+)/" },
      to: { path: "^app/routes/", pathNot: "^app/routes/$1/" },
    },
    {
      name: "admin-rooms-apart",
      comment:
        "What panels share is in shared/; besides, items show the visibility, and moderation the acts.",
      severity: "error",
      from: { path: "^app/routes/admin/([^/]+)/", pathNot: "^app/routes/admin/(items|moderation)/" },
      to: { path: "^app/routes/admin/", pathNot: "^app/routes/admin/($1|shared)/" },
    },
    neverReaches(
      "admin-items",
      "^app/routes/admin/items/",
      "^app/routes/admin/(?!items/|shared/|visibility/)",
      "items → visibility → shared",
    ),
    neverReaches(
      "admin-moderation",
      "^app/routes/admin/moderation/",
      "^app/routes/admin/(?!moderation/|shared/|acts/|words/)",
      "moderation → acts, words → shared",
    ),
    {
      name: "queries-are-for-signed-in-screens",
      comment: "Visitors' pages are read by their loaders and load no TanStack Query.",
      severity: "error",
      from: { path: "^app/", pathNot: "^app/(features/live|routes/(admin|account|history))/" },
      to: { path: ["(^|node_modules/)@tanstack/", "^app/features/live/(?!other-tabs)"] },
    },
    {
      name: "services-apart",
      comment:
        "The five services share only postgres, tokens, http, log and memory; backend.ts and main.ts compose them.",
      severity: "error",
      from: { path: "^backend/(rest|auth|storage|realtime|functions)/" },
      to: { path: "^backend/", pathNot: ["^backend/$1/", "^backend/(postgres|tokens|http|log|memory)/"] },
    },
    neverReaches(
      "auth-endpoints-on-top",
      "^backend/auth/(?!endpoints/|create-auth[.]ts)",
      "^backend/auth/endpoints/",
      "endpoints → nouns (users, sessions, factors …) → service → what it is composed of",
    ),
    neverReaches(
      "auth-nouns-above-the-service",
      "^backend/auth/service/",
      `^backend/auth/(?!service/|(${AUTH_TOOLS})/|auth-error)`,
      "The service is what nouns get; a type that both need lives in service/ or below it.",
    ),
    neverReaches(
      "auth-tools-at-the-bottom",
      `^backend/auth/(${AUTH_TOOLS})/`,
      `^backend/auth/(?!(${AUTH_TOOLS})/|auth-error)`,
      "What the service is composed of knows neither it nor the nouns.",
    ),
    {
      name: "leaves-stay-leaves",
      severity: "error",
      from: { path: "^backend/(postgres|tokens|http|log|memory|schema)/", pathNot: isTest },
      to: { path: "^backend/(rest|auth|storage|realtime|functions|backend[.]ts|main[.]ts)" },
    },
    {
      name: "helpers-are-for-tests",
      comment: "Only tests and benches stand on the test helpers.",
      severity: "error",
      from: { pathNot: ["^tests/", "^bench/", isTest, "^vitest[.]config[.]ts$"] },
      to: { path: testHelpers },
    },
    {
      name: "no-test-imports",
      comment: "A test is nobody's dependency.",
      severity: "error",
      from: {},
      to: { path: isTest },
    },
    {
      name: "no-dev-dependencies-at-run-time",
      severity: "error",
      from: { path: "^(domain|backend|server|app)/", pathNot: isTest },
      to: {
        dependencyTypes: ["npm-dev"],
        dependencyTypesNot: ["type-only"],
        pathNot: "node_modules/(@react-router/dev|vite)/",
      },
    },
    {
      name: "caches-have-a-limit-in-bytes",
      comment: "backend/memory/byte-cache.ts cannot be called without one; a cache of another making can.",
      severity: "error",
      from: { pathNot: "^backend/memory/byte-cache[.]ts$" },
      to: { path: "(^|node_modules/)lru-cache(/|$)" },
    },
    {
      name: "declared-dependencies-only",
      severity: "error",
      from: {},
      to: { dependencyTypes: ["npm-no-pkg", "npm-unknown"] },
    },
  ],
  options: {
    parser: "swc", // TypeScript 7 has no API that this tool could use
    doNotFollow: { path: "node_modules" },
    exclude: { path: ["^build/", "^data/", "^[.]react-router/", "[+]types"] },
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["import", "node", "default", "types"],
      extensions: [".ts", ".tsx", ".js", ".mjs", ".cjs", ".json"],
    },
  },
};
