import { reactRouter } from "@react-router/dev/vite";
import tailwindcss from "@tailwindcss/vite";
import { defineConfig } from "vite";
import { cutFonts } from "#scripts/fonts/cut-fonts.ts";
import { hoverOnly } from "#scripts/styles/hover-only.ts";

/** Modules shared by forms and dialogs, most of which are not part of a first view. */
const FORMS =
  /node_modules[\\/]valibot|domain[\\/](people[\\/]mail-address|text[\\/]((column-)?limits|text-schema|typed-number)|values[\\/]large-change)|app[\\/](ui[\\/](form|choice|dialog\.|toast[\\/]toast-place)|features[\\/]session[\\/](use-session-form|show-failure|ask-for-|question|open-session))/;

/** Modules shared by pages that show items; search loads on first use, reasons with the list of changes. */
const ITEMS =
  /domain[\\/](items[\\/](?!item-search)|values|fields|text[\\/](?!counts))|app[\\/](features[\\/](items[\\/](?!change-reason|evidence-link)|ads[\\/])|ui[\\/](?!stat\.|section-card|scroll-region|disclosure|tab-strip))/;

/**
 * Modules for finding items: edit distance, also used to check words, and item types and tabs, too small for a file of
 * their own.
 */
const SEARCH = /domain[\\/](items[\\/]item-(search|type)|words[\\/]edit-distance)|app[\\/]ui[\\/]tab-strip/;

/** What pages with trades share: reading one from an address, and its verdict. */
const TRADES = /trades[\\/](judgment-text|trade-url|verdict)\./;

/** What forms share, of typed texts, addresses and the session. */
const TYPED = /domain[\\/]text[\\/]typed-number\./;
const ADDRESSES = /domain[\\/](people[\\/](mail-address|credentials)|text[\\/]text-schema)\./;
const SESSIONS = /features[\\/]session[\\/](second-factor|open-session|show-failure)\./;

/** Bundles modules that most pages load into one file each: fewer requests and fewer bytes than separate files. */
const groups = [
  { name: "shared", minShareCount: 10, test: (id: string) => !FORMS.test(id) },
  { name: "search", minShareCount: 2, test: (id: string) => SEARCH.test(id) },
  {
    name: "frame",
    test: /node_modules[\\/]react-dom[\\/](index|cjs[\\/]react-dom\.production)|app[\\/](features[\\/]theme|ui[\\/]after-paint)/,
  },
  // Before what needs it, which it would be bundled with.
  { name: "typed", minShareCount: 2, test: (id: string) => TYPED.test(id) },
  { name: "addresses", minShareCount: 2, test: (id: string) => ADDRESSES.test(id) },
  { name: "sessions", minShareCount: 2, test: (id: string) => SESSIONS.test(id) },
  { name: "trades", minShareCount: 2, test: (id: string) => TRADES.test(id) },
  { name: "items", minShareCount: 3, test: (id: string) => ITEMS.test(id) && !FORMS.test(id) },
];

export default defineConfig({
  plugins: [cutFonts(), tailwindcss(), reactRouter()],
  css: { postcss: { plugins: [hoverOnly()] } },
  environments: {
    client: { build: { rolldownOptions: { output: { codeSplitting: { groups } } } } },
  },
});
