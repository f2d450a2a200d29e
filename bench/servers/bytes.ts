import { readTask, serve } from "./serve.ts";

/** Bare `node:http` sending everyone the same bytes with the same headers: the baseline for a cached document. */
export type BytesTask = { headers: Record<string, string>; base64: string };

const { headers, base64 } = readTask<BytesTask>();
const body = Buffer.from(base64, "base64");
serve((_request, response) => {
  response.writeHead(200, headers);
  response.end(body);
});
