import { brotliCompressSync } from "node:zlib";
import { readTask, serve } from "./serve.ts";

/** The same pages without scripts, but with the same styles, fonts and images: what the content alone costs. */
export type StaticCopyTask = { origin: string };

type Copy = { status: number; headers: Record<string, string>; body: Buffer };

const { origin } = readTask<StaticCopyTask>();
const copies = new Map<string, Promise<Copy>>();

serve(async (request, response) => {
  const url = request.url ?? "/";
  const copying = copies.get(url) ?? copy(url);
  copies.set(url, copying);
  const { status, headers, body } = await copying;
  response.writeHead(status, headers).end(body);
});

async function copy(url: string): Promise<Copy> {
  const answer = await fetch(origin + url);
  const type = answer.headers.get("content-type") ?? "";
  const whole = Buffer.from(await answer.arrayBuffer());
  const kept = type.startsWith("text/html") ? Buffer.from(withoutScripts(whole.toString())) : whole;
  const isText = /^text|svg|json/.test(type);
  const headers = {
    "content-type": type,
    "cache-control": answer.headers.get("cache-control") ?? "",
    ...(isText ? { "content-encoding": "br" } : {}),
  };
  return { status: answer.status, headers, body: isText ? brotliCompressSync(kept) : kept };
}

function withoutScripts(html: string): string {
  return html.replace(/<script\b[\s\S]*?<\/script>/g, "").replace(/<link rel="modulepreload"[^>]*>/g, "");
}
