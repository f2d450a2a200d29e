import { clientAddress } from "#backend/http/client-address.ts";
import type { HttpRequest, HttpResponse } from "#backend/http/http-message.ts";
import type { Identity } from "#backend/tokens/identity.ts";
import { isGoodName, OPEN_RIGHTS } from "./channel.ts";
import { TOO_MANY } from "./connection.ts";
import type { Context } from "./context.ts";
import { identify, TokenRefusedError } from "./identify.ts";
import { isRecord, type UserBroadcast } from "./protocol/message.ts";
import { roomOf } from "./rooms.ts";

const BATCH = "/realtime/v1/api/broadcast";
const SINGLE = /^\/realtime\/v1\/api\/broadcast\/([^/]+)\/events\/([^/]+)$/;
const MOST_MESSAGES = 1_000;

type Letter = { topic: string; broadcast: UserBroadcast; private: boolean };

/** Why a request cannot be done, as the service says it. */
class BadRequestError extends Error {
  readonly status: number;
  readonly headers: Record<string, string>;
  constructor(status: number, message: string, headers: Record<string, string> = {}) {
    super(message);
    this.status = status;
    this.headers = headers;
  }
}

/** Broadcasts by HTTP: many at once, or one whose topic and event are in the path. Answers 202 when they are on their way. */
export async function handleHttp(request: HttpRequest, context: Context): Promise<HttpResponse> {
  try {
    const letters = readLetters(request, context.config.maxPayloadBytes);
    const identity = await whoAsks(request, context);
    requirePatience(request, identity, letters.length, context);
    await postAll(letters, identity, context);
    return { status: 202, headers: {}, body: "" };
  } catch (cause) {
    if (cause instanceof BadRequestError) return refusal(cause.status, cause.message, cause.headers);
    if (cause instanceof TokenRefusedError) return refusal(401, cause.message);
    return refusal(500, "Realtime was unable to connect to the project database");
  }
}

/** The bearer's word counts before the key's. */
async function whoAsks({ headers, url }: HttpRequest, { verifier }: Context): Promise<Identity> {
  const bearer = /^bearer +(\S+) *$/i.exec(headers.authorization ?? "")?.[1];
  const key = headers.apikey ?? new URLSearchParams(url.split("?", 2)[1]).get("apikey");
  const token = bearer ?? key;
  if (!token) throw new TokenRefusedError("MissingAPIKey: No API key found");
  if (key && key !== token) await identify(verifier, key);
  return identify(verifier, token);
}

/** So many messages a second from one address, but for whoever holds all rights anyway. */
function requirePatience(
  request: HttpRequest,
  { role }: Identity,
  count: number,
  { config, httpRates, journal }: Context,
): void {
  const address = clientAddress(request, config.addressHeader);
  if (role === "service_role" || address === "" || httpRates.take(address, count)) return;
  journal.note(`messages by HTTP were refused: ${TOO_MANY}`);
  throw new BadRequestError(429, TOO_MANY, { "retry-after": "1" });
}

/** What may not be said in a private channel is not said, and nobody is told that it was not: as the service has it. */
async function postAll(letters: Letter[], identity: Identity, { rights, broadcast }: Context): Promise<void> {
  const closed = letters.filter((letter) => letter.private).map(({ topic }) => topic);
  const topics = [...new Set(closed)];
  const answers = await Promise.all(topics.map((topic) => rights.of(topic, identity)));
  const byTopic = new Map(topics.map((topic, at) => [topic, answers[at]]));
  for (const letter of letters) {
    const allowed = letter.private ? byTopic.get(letter.topic) : OPEN_RIGHTS;
    if (allowed?.broadcast.write) broadcast(roomOf(letter.topic, letter.private), letter.broadcast, null);
  }
}

function readLetters(request: HttpRequest, maxBytes: number): Letter[] {
  const [path = "", query] = request.url.split("?", 2);
  const single = SINGLE.exec(path);
  if (path !== BATCH && !single) throw new BadRequestError(404, "Not found");
  if (request.method !== "POST") throw new BadRequestError(405, "Method not allowed");
  const body = request.body ?? new Uint8Array();
  if (body.length > maxBytes) throw new BadRequestError(413, "Payload is too large");
  if (!single) return readBatch(parseJson(body));
  const [topic, event] = [single[1], single[2]].map(decode) as [string, string];
  const isPrivate = new URLSearchParams(query).get("private") === "true";
  const isBinary = request.headers["content-type"]?.startsWith("application/octet-stream");
  const content = isBinary ? { bytes: body } : { json: JSON.stringify(parseJson(body)) };
  return [{ topic: requireName(topic), broadcast: { event, ...content }, private: isPrivate }];
}

function readBatch(body: unknown): Letter[] {
  const messages = isRecord(body) ? body.messages : null;
  if (!Array.isArray(messages) || messages.length === 0)
    throw new BadRequestError(422, "messages must be a list that is not empty");
  if (messages.length > MOST_MESSAGES)
    throw new BadRequestError(422, `messages may have ${MOST_MESSAGES} entries at most`);
  return messages.map((message: unknown) => {
    const { topic, event, payload, private: isPrivate } = isRecord(message) ? message : {};
    if (typeof topic !== "string" || typeof event !== "string" || !isRecord(payload))
      throw new BadRequestError(422, "each message needs a topic, an event and a payload");
    const json = JSON.stringify(payload);
    return { topic: requireName(topic), broadcast: { event, json }, private: isPrivate === true };
  });
}

function requireName(topic: string): string {
  if (!isGoodName(topic)) throw new BadRequestError(422, "topic is no name of a channel");
  return topic;
}

function parseJson(body: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(body).toString());
  } catch {
    throw new BadRequestError(400, "The body is no JSON");
  }
}

function decode(part = ""): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw new BadRequestError(400, "The path is not well encoded");
  }
}

function refusal(status: number, message: string, headers: Record<string, string> = {}): HttpResponse {
  return {
    status,
    headers: { "content-type": "application/json; charset=utf-8", ...headers },
    body: JSON.stringify({ error: message, message }),
  };
}
