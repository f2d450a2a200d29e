import { randomBytes } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { Webhook } from "standardwebhooks";
import { listen } from "../listen.ts";

type HookCall = {
  path: string;
  headers: IncomingMessage["headers"];
  body: string;
  told: Record<string, unknown>;
};
type Answer = (told: Record<string, unknown>, response: ServerResponse, heard: HookCall) => unknown;

/** The operator's side of HTTP hooks. Verifies each signature with the standard's own library, as operators do. */
export type HookServer = {
  key: string;
  /** The settings for a hook at `path`; the path selects the answer. */
  at(path: string): { url: string; keys: string[] };
  heard: HookCall[];
  close(): Promise<void>;
};

/** An answer that returns a value is sent as JSON; one that returns nothing writes its own response. */
export async function openHookServer(answers: Record<string, Answer>): Promise<HookServer> {
  const key = randomBytes(32).toString("base64");
  const webhook = new Webhook(key);
  const heard: HookCall[] = [];
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    const path = request.url ?? "";
    try {
      const told = webhook.verify(body, request.headers as Record<string, string>) as HookCall["told"];
      const one = { path, headers: request.headers, body, told };
      heard.push(one);
      const answer = answers[path]?.(told, response, one);
      if (answer === undefined) return;
      response.setHeader("content-type", "application/json").end(JSON.stringify(answer));
    } catch {
      response.writeHead(401).end();
    }
  });
  const { url: origin, close } = await listen(server);
  return {
    key,
    at: (path) => ({ url: `${origin}${path}`, keys: [key] }),
    heard,
    close,
  };
}
