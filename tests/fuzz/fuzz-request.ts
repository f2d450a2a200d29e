/** Whose key and token a request carries. A forger's token has an invalid signature; Cal's account may be deleted. */
export type Who = "nobody" | "visitor" | "Ana" | "Ben" | "Cal" | "Eve" | "server" | "forger";

/**
 * One request. Placeholders such as `{{Ana.id}}` stand for values only the running site knows; they are filled in on
 * sending.
 */
export type FuzzRequest = {
  who: Who;
  method: string;
  path: string;
  /** Names and values, in any order. */
  query: [string, string][];
  headers: Record<string, string>;
  body?: string | Buffer;
};

/** Frames sent over one socket, in order. */
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
