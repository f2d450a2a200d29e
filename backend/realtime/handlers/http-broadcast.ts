import { clientNetwork } from "#backend/http/client-network.ts";
import type { HttpRequest, HttpResponse } from "#backend/http/http-message.ts";
import { jsonResponse } from "#backend/http/json-response.ts";
import { percentDecode } from "#backend/http/percent-decode.ts";
import { splitAddress } from "#backend/http/split-address.ts";
import { wholeBody } from "#backend/http/whole-body.ts";
import { describeCause } from "#backend/log/describe-cause.ts";
import { fromOperator, logText } from "#backend/log/log-text.ts";
import type { Identity } from "#backend/tokens/identity.ts";
import { identifyRequest } from "../access/identify.ts";
import { isGoodName } from "../channels/channel.ts";
import { roomOf } from "../channels/rooms.ts";
import { isRecord, type UserBroadcast } from "../protocol/message.ts";
import { RefusedError } from "../refused-error.ts";
import { TOO_MANY } from "../sockets/connection.ts";
import type { Context } from "./context.ts";
import { NOT_KEPT } from "./handle-message.ts";
import { answerStatus } from "./http-status.ts";

const BATCH = "/realtime/v1/api/broadcast";
const SINGLE = /^\/realtime\/v1\/api\/broadcast\/([^/]+)\/events\/([^/]+)$/;
const MAX_MESSAGES = 1_000;

type OutgoingMessage = { topic: string; broadcast: UserBroadcast; private: boolean };

/** Answers requests over HTTP: for the service's status, and broadcasts. */
export async function handleHttp(request: HttpRequest, context: Context): Promise<HttpResponse> {
  try {
    return (await answerStatus(request, context)) ?? (await sendBroadcasts(request, context));
  } catch (cause) {
    if (cause instanceof RefusedError) return refusal(cause.status, cause.message, cause.headers);
    context.journal.note(logText`an HTTP request could not be answered: ${describeCause(cause)}`);
    return refusal(500, "Realtime was unable to connect to the project database");
  }
}

/** Broadcasts a batch, or one message whose topic and event are in the path. Answers 202 once they are sent. */
async function sendBroadcasts(request: HttpRequest, context: Context): Promise<HttpResponse> {
  const messages = readMessages(request);
  const identity = await identifyRequest(context.verifier, request);
  requireWithinRate(request, identity, messages.length, context);
  await broadcastAllowed(messages, identity, context);
  return { status: 202, headers: {}, body: "" };
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
  throw new RefusedError(TOO_MANY, 429, { "retry-after": "1" });
}

/** Messages to private channels that the sender may not write to are silently dropped, as in the hosted service. */
async function broadcastAllowed(
  messages: OutgoingMessage[],
  identity: Identity,
  { readRights, broadcast }: Context,
): Promise<void> {
  const byRoom = new Map(messages.map((message) => [roomOf(message.topic, message.private), message]));
  const asked = [...byRoom].map(async ([room, { topic: name, private: isPrivate }]) => {
    const { broadcast: right } = await readRights({ name, isPrivate }, identity);
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
  if (path !== BATCH && !single) throw new RefusedError("Not found", 404);
  if (request.method !== "POST") throw new RefusedError("Method not allowed", 405);
  const body = wholeBody(request, tooLong) ?? new Uint8Array();
  if (!single) return readBatch(parseJson(body));
  const [topic, event] = [single[1], single[2]].map(decode) as [string, string];
  const parameters = new URLSearchParams(query);
  if (parameters.has("persist") || parameters.has("persist[ttl]")) throw new RefusedError(NOT_KEPT, 422);
  const isPrivate = parameters.get("private") === "true";
  const isBinary = request.headers["content-type"]?.startsWith("application/octet-stream");
  const content = isBinary ? { bytes: body } : { json: JSON.stringify(parseJson(body)) };
  return [{ topic: requireName(topic), broadcast: { event, ...content }, private: isPrivate }];
}

const tooLong = () => new RefusedError("Payload is too large", 413);

function readBatch(body: unknown): OutgoingMessage[] {
  const messages = isRecord(body) ? body.messages : null;
  if (!Array.isArray(messages) || messages.length === 0)
    throw new RefusedError("messages must be a list that is not empty", 422);
  if (messages.length > MAX_MESSAGES)
    throw new RefusedError(`messages may have ${MAX_MESSAGES} entries at most`, 422);
  return messages.map((message: unknown) => {
    const { topic, event, payload, private: isPrivate } = isRecord(message) ? message : {};
    if (typeof topic !== "string" || typeof event !== "string" || !isRecord(payload))
      throw new RefusedError("each message needs a topic, an event and a payload", 422);
    const json = JSON.stringify(payload);
    return { topic: requireName(topic), broadcast: { event, json }, private: isPrivate === true };
  });
}

function requireName(topic: string): string {
  if (!isGoodName(topic)) throw new RefusedError("topic is no name of a channel", 422);
  return topic;
}

function parseJson(body: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(body).toString());
  } catch {
    throw new RefusedError("The body is no JSON");
  }
}

function decode(part = ""): string {
  return percentDecode(part, () => new RefusedError("The path is not well encoded"));
}

function refusal(status: number, message: string, headers: Record<string, string> = {}): HttpResponse {
  return jsonResponse(status, { error: message, message }, headers);
}
