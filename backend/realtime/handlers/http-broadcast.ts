import { clientNetwork } from "#backend/http/client-network.ts";
import type { HttpRequest, HttpResponse } from "#backend/http/http-message.ts";
import { jsonResponse } from "#backend/http/json-response.ts";
import { percentDecode } from "#backend/http/percent-decode.ts";
import { splitAddress } from "#backend/http/split-address.ts";
import { wholeBody } from "#backend/http/whole-body.ts";
import { describeCause } from "#backend/log/describe-cause.ts";
import { fromOperator, logText } from "#backend/log/log-text.ts";
import type { Identity } from "#backend/tokens/identity.ts";
import { identify, TokenRefusedError } from "../access/identify.ts";
import { PrivateOnlyError } from "../access/topic-rights.ts";
import { isGoodName } from "../channels/channel.ts";
import { roomOf } from "../channels/rooms.ts";
import { isRecord, type UserBroadcast } from "../protocol/message.ts";
import { TOO_MANY } from "../sockets/connection.ts";
import type { Context } from "./context.ts";
import { NOT_KEPT } from "./handle-message.ts";

const BATCH = "/realtime/v1/api/broadcast";
const SINGLE = /^\/realtime\/v1\/api\/broadcast\/([^/]+)\/events\/([^/]+)$/;
const MAX_MESSAGES = 1_000;

type OutgoingMessage = { topic: string; broadcast: UserBroadcast; private: boolean };

/** Why a request is refused, as sent to the client. */
class BadRequestError extends Error {
  readonly status: number;
  readonly headers: Record<string, string>;
  constructor(status: number, message: string, headers: Record<string, string> = {}) {
    super(message);
    this.status = status;
    this.headers = headers;
  }
}

/** Broadcasts over HTTP: a batch, or one whose topic and event are in the path. Answers 202 once they are sent. */
export async function handleHttp(request: HttpRequest, context: Context): Promise<HttpResponse> {
  try {
    const messages = readMessages(request);
    const identity = await authenticate(request, context);
    requireWithinRate(request, identity, messages.length, context);
    await broadcastAllowed(messages, identity, context);
    return { status: 202, headers: {}, body: "" };
  } catch (cause) {
    if (cause instanceof BadRequestError) return refusal(cause.status, cause.message, cause.headers);
    if (cause instanceof TokenRefusedError) return refusal(401, cause.message);
    if (cause instanceof PrivateOnlyError) return refusal(403, cause.message);
    context.journal.note(logText`HTTP broadcasts could not be sent: ${describeCause(cause)}`);
    return refusal(500, "Realtime was unable to connect to the project database");
  }
}

/** The bearer token takes precedence over the API key. */
export async function authenticate({ headers, url }: HttpRequest, { verifier }: Context): Promise<Identity> {
  const bearer = /^bearer +(\S+) *$/i.exec(headers.authorization ?? "")?.[1];
  const key = headers.apikey ?? new URLSearchParams(splitAddress(url).query).get("apikey");
  const token = bearer ?? key;
  if (!token) throw new TokenRefusedError("MissingAPIKey: No API key found");
  if (key && key !== token) await identify(verifier, key);
  return identify(verifier, token);
}

/** Limits messages per second from one network; the service role is exempt. */
function requireWithinRate(
  request: HttpRequest,
  { role }: Identity,
  count: number,
  { config, httpRates, journal }: Context,
): void {
  const network = clientNetwork(request, config.addressHeader);
  if (role === "service_role" || network === "") return;
  if (httpRates.add(network, count) <= config.maxHttpMessagesPerSecond) return;
  journal.note(logText`HTTP broadcasts were refused: ${fromOperator(TOO_MANY)}`);
  throw new BadRequestError(429, TOO_MANY, { "retry-after": "1" });
}

/** Messages to private channels that the sender may not write to are silently dropped, as in the hosted service. */
async function broadcastAllowed(
  messages: OutgoingMessage[],
  identity: Identity,
  { rights, broadcast }: Context,
): Promise<void> {
  const byRoom = new Map(messages.map((message) => [roomOf(message.topic, message.private), message]));
  const asked = [...byRoom].map(async ([room, { topic: name, private: isPrivate }]) => {
    const { broadcast: right } = await rights.of({ name, isPrivate }, identity);
    return right.write ? room : null;
  });
  const open = new Set(await Promise.all(asked));
  for (const message of messages) {
    const room = roomOf(message.topic, message.private);
    if (open.has(room)) broadcast(room, message.broadcast, null);
  }
}

function readMessages(request: HttpRequest): OutgoingMessage[] {
  const { path, query } = splitAddress(request.url);
  const single = SINGLE.exec(path);
  if (path !== BATCH && !single) throw new BadRequestError(404, "Not found");
  if (request.method !== "POST") throw new BadRequestError(405, "Method not allowed");
  const body = wholeBody(request, tooLong) ?? new Uint8Array();
  if (!single) return readBatch(parseJson(body));
  const [topic, event] = [single[1], single[2]].map(decode) as [string, string];
  const parameters = new URLSearchParams(query);
  if (parameters.has("persist") || parameters.has("persist[ttl]")) throw new BadRequestError(422, NOT_KEPT);
  const isPrivate = parameters.get("private") === "true";
  const isBinary = request.headers["content-type"]?.startsWith("application/octet-stream");
  const content = isBinary ? { bytes: body } : { json: JSON.stringify(parseJson(body)) };
  return [{ topic: requireName(topic), broadcast: { event, ...content }, private: isPrivate }];
}

const tooLong = () => new BadRequestError(413, "Payload is too large");

function readBatch(body: unknown): OutgoingMessage[] {
  const messages = isRecord(body) ? body.messages : null;
  if (!Array.isArray(messages) || messages.length === 0)
    throw new BadRequestError(422, "messages must be a list that is not empty");
  if (messages.length > MAX_MESSAGES)
    throw new BadRequestError(422, `messages may have ${MAX_MESSAGES} entries at most`);
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
  return percentDecode(part, () => new BadRequestError(400, "The path is not well encoded"));
}

export function refusal(status: number, message: string, headers: Record<string, string> = {}): HttpResponse {
  return jsonResponse(status, { error: message, message }, headers);
}
