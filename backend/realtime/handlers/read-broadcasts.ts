import type { HttpRequest } from "#backend/http/http-message.ts";
import { percentDecode } from "#backend/http/percent-decode.ts";
import { splitAddress } from "#backend/http/split-address.ts";
import { wholeBody } from "#backend/http/whole-body.ts";
import { isGoodName } from "../channels/channel.ts";
import { isRecord, type UserBroadcast } from "../protocol/message.ts";
import { readPrivate, readTruth } from "../protocol/read-truth.ts";
import { type Faults, RefusedError } from "../refused-error.ts";
import { NOT_KEPT } from "./handle-message.ts";

const BATCH = "/realtime/v1/api/broadcast";
const SINGLE = /^\/realtime\/v1\/api\/broadcast\/([^/]+)\/events\/([^/]+)$/;
const MAX_MESSAGES = 1_000;

export type OutgoingMessage = { topic: string; broadcast: UserBroadcast; private: boolean };

/** The messages of a request over HTTP: a batch, or a single one whose topic and event are in the path. */
export function readBroadcasts(request: HttpRequest): { messages: OutgoingMessage[]; isSingle: boolean } {
  const { path, query } = splitAddress(request.url);
  const single = SINGLE.exec(path);
  if (path !== BATCH && !single) throw new RefusedError("Not found", 404);
  if (request.method !== "POST") throw new RefusedError("Method not allowed", 405);
  if (!single) return { messages: readBatch(parseJson(request)), isSingle: false };
  const [topic, event] = [single[1], single[2]].map(decode) as [string, string];
  const parameters = new URLSearchParams(query);
  if (parameters.has("persist") || parameters.has("persist[ttl]")) throw new RefusedError(NOT_KEPT, 422);
  const isPrivate = readPrivate(parameters.get("private"));
  if (!isGoodName(topic)) throw unprocessable("topic is no name of a channel", { topic: [INVALID] });
  const tooLong = () => unprocessable(TOO_LONG, { payload: [TOO_LONG] });
  const content = isBinary(request)
    ? { bytes: wholeBody(request, tooLong) ?? new Uint8Array() }
    : { json: JSON.stringify(parseJson(request, tooLong)) };
  return { messages: [{ topic, broadcast: { event, ...content }, private: isPrivate }], isSingle: true };
}

const isBinary = ({ headers }: HttpRequest) =>
  headers["content-type"]?.startsWith("application/octet-stream");

// The hosted service's words.
const BLANK = "can't be blank";
const INVALID = "is invalid";
const TOO_LONG = "Payload size exceeds tenant limit";

function readBatch(body: unknown): OutgoingMessage[] {
  const messages: unknown = isRecord(body) ? body.messages : null;
  if (!Array.isArray(messages) || messages.length === 0)
    throw unprocessable("messages must be a list that is not empty", { messages: [BLANK] });
  if (messages.length > MAX_MESSAGES) {
    const reason = `may have ${MAX_MESSAGES} entries at most`;
    throw unprocessable(`messages ${reason}`, { messages: [reason] });
  }
  const all = messages.map((message: unknown) => (isRecord(message) ? message : {}));
  const faults = all.map(findFaults);
  if (faults.some((fault) => Object.keys(fault).length > 0))
    throw unprocessable("each message needs a topic, an event and a payload", { messages: faults });
  return all.map(({ topic, event, payload, private: isPrivate }) => ({
    topic: topic as string,
    broadcast: { event: event as string, json: JSON.stringify(payload) },
    private: readPrivate(isPrivate),
  }));
}

function findFaults({ topic, event, payload, private: isPrivate }: Record<string, unknown>): Faults {
  const isText = (value: unknown) => typeof value === "string";
  return {
    ...faultOf("topic", topic, isText(topic) && isGoodName(topic as string)),
    ...faultOf("event", event, isText(event)),
    ...faultOf("payload", payload, isRecord(payload)),
    ...(readTruth(isPrivate) === null && { private: [INVALID] }),
  };
}

function faultOf(name: string, value: unknown, isValid: boolean): Faults {
  if (value === undefined || value === null || value === "") return { [name]: [BLANK] };
  return isValid ? {} : { [name]: [INVALID] };
}

const unprocessable = (message: string, faults: Faults) => new RefusedError(message, 422, {}, faults);

function parseJson(
  request: HttpRequest,
  tooLong = () => new RefusedError("Payload is too large", 413),
): unknown {
  const body = wholeBody(request, tooLong) ?? new Uint8Array();
  try {
    return JSON.parse(Buffer.from(body).toString());
  } catch {
    const type = request.headers["content-type"] ?? "application/json";
    if (!type.startsWith("application/json")) throw new RefusedError("Unsupported Media Type", 415);
    throw new RefusedError("The body is no JSON");
  }
}

function decode(part = ""): string {
  return percentDecode(part, () => new RefusedError("The path is not well encoded"));
}
