import { clientNetwork } from "#backend/http/client-network.ts";
import type { HttpRequest, HttpResponse } from "#backend/http/http-message.ts";
import { jsonResponse } from "#backend/http/json-response.ts";
import { describeCause } from "#backend/log/describe-cause.ts";
import { fromOperator, logText } from "#backend/log/log-text.ts";
import type { Identity } from "#backend/tokens/identity.ts";
import { identifyRequest } from "../access/identify.ts";
import { roomOf } from "../channels/rooms.ts";
import { RefusedError } from "../refused-error.ts";
import { TOO_MANY } from "../sockets/connection.ts";
import type { Context } from "./context.ts";
import { answerStatus } from "./http-status.ts";
import { type OutgoingMessage, readBroadcasts } from "./read-broadcasts.ts";

/** Answers requests over HTTP: for the service's status, and broadcasts. */
export async function handleHttp(request: HttpRequest, context: Context): Promise<HttpResponse> {
  try {
    return (await answerStatus(request, context)) ?? (await sendBroadcasts(request, context));
  } catch (cause) {
    if (cause instanceof RefusedError) return refusal(cause);
    context.journal.note(logText`an HTTP request could not be answered: ${describeCause(cause)}`);
    return refusal(new RefusedError("Realtime was unable to connect to the project database", 500));
  }
}

/** Broadcasts a batch, or one message whose topic and event are in the path. Answers 202 once they are sent. */
async function sendBroadcasts(request: HttpRequest, context: Context): Promise<HttpResponse> {
  const { messages, isSingle } = readBroadcasts(request);
  const identity = await identifyRequest(context.verifier, request);
  requireWithinRate(request, identity, messages.length, context);
  const sent = await broadcastAllowed(messages, identity, context);
  if (isSingle && sent === 0) throw new RefusedError("Unauthorized", 403);
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

/**
 * Messages of a batch to private channels that the sender may not write to are silently dropped, as in the hosted
 * service. Resolves with how many were sent.
 */
async function broadcastAllowed(
  messages: OutgoingMessage[],
  identity: Identity,
  { readRights, broadcast }: Context,
): Promise<number> {
  const byRoom = new Map(messages.map((message) => [roomOf(message.topic, message.private), message]));
  const asked = [...byRoom].map(async ([room, { topic: name, private: isPrivate }]) => {
    const { broadcast: right } = await readRights({ name, isPrivate }, identity);
    return right.write ? room : null;
  });
  const open = new Set(await Promise.all(asked));
  const allowed = messages.filter((message) => open.has(roomOf(message.topic, message.private)));
  for (const message of allowed) broadcast(roomOf(message.topic, message.private), message.broadcast, null);
  return allowed.length;
}

function refusal({ status, message, errors, headers }: RefusedError): HttpResponse {
  return jsonResponse(status, { error: message, message, ...(errors && { errors }) }, headers);
}
