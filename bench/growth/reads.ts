/** A read that requests something different each time, so that no response is cached. */
export type Read = {
  what: string;
  /** The path and, unless it is a GET, the body of request number `round`. */
  ask: (round: number) => { path: string; body?: unknown };
};

const letter = (round: number) => String.fromCharCode(97 + (round % 26));
const SHOWN = "select=id,user_id,username,message,created_at,reactions&order=created_at.desc,id.desc";
const LISTED = { limit: 100, sortBy: { column: "name", order: "asc" } };

/** What the site's pages and screens read from the tables that grow; `slugs` are those of a new site's items. */
export const readsOf = (slugs: string[]): Read[] => [
  { what: "the list of values, searched", ask: (round) => ({ path: `/values?q=${letter(round)}` }) },
  { what: "the page of an item", ask: (round) => ({ path: `/fruits/${slugs[round]}` }) },
  { what: "the page of traders, searched", ask: (round) => ({ path: `/community?q=${letter(round)}` }) },
  {
    what: "the items, by rest/v1, a hundred",
    ask: (round) => ({
      path: `/rest/v1/items?select=*,categories(*)&order=name&limit=100&offset=${round}`,
    }),
  },
  { what: "the chat's newest 50", ask: () => ({ path: `/rest/v1/shown_chat_messages?${SHOWN}&limit=50` }) },
  {
    what: "50 of the chat from before a moment",
    ask: (round) => ({
      path: `/rest/v1/shown_chat_messages?${SHOWN}&limit=50&created_at=lt.${daysAgo(round)}`,
    }),
  },
  {
    what: "a person's own trades",
    ask: () => ({ path: "/rest/v1/trade_history?order=created_at.desc,id&limit=20" }),
  },
  {
    what: "a page of a folder of files",
    ask: (round) => ({
      path: "/storage/v1/object/list/bench",
      body: { ...LISTED, prefix: `shelf/${String(round).padStart(4, "0")}` },
    }),
  },
  {
    what: "a page of folders of files",
    ask: (round) => ({
      path: "/storage/v1/object/list/bench",
      body: { ...LISTED, prefix: "shelf", offset: round },
    }),
  },
];

function daysAgo(days: number): string {
  return new Date(Date.now() - days * 86_400_000).toISOString();
}
