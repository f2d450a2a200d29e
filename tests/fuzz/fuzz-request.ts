/** Whose key and token a request carries; a forger's token is signed by nobody, and Cal is who may lose the account. */
export type Who = "nobody" | "visitor" | "Ana" | "Ben" | "Cal" | "Eve" | "server" | "forger";

/** One request. `{{Ana.id}}` and the like stand for what only the running site knows, and are filled in when it is sent. */
export type FuzzRequest = {
  who: Who;
  method: string;
  path: string;
  /** Names and values, in no order. */
  query: [string, string][];
  headers: Record<string, string>;
  body?: string | Buffer;
};

/** What is sent over one socket, in order. */
export type FuzzFrames = { who: Who; version: string; frames: (string | Buffer)[] };

export type Fuzz = FuzzRequest | FuzzFrames;

export const get = (path: string, query: [string, string][] = [], who: Who = "visitor"): FuzzRequest => ({
  who,
  method: "GET",
  path,
  query,
  headers: {},
});

export const send = (method: string, path: string, body: unknown, who: Who = "visitor"): FuzzRequest => ({
  who,
  method,
  path,
  query: [],
  headers: { "content-type": "application/json" },
  body: JSON.stringify(body),
});
