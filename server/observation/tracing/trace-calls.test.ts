import { once } from "node:events";
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import type { Span } from "@opentelemetry/api";
import { expect, test } from "vitest";
import type { SpanFacts } from "#backend/log/traced.ts";
import { traceCalls } from "./trace-calls.ts";

/** A span that records its calls. */
function noting(told: unknown[]): Span {
  const span = {
    setAttribute: (name: string, value: unknown) => void told.push([name, value]),
    setStatus: ({ code }: { code: number }) => void told.push(["status", code]),
    end: () => void told.push("end"),
  };
  return span as unknown as Span;
}

test("calls by http.request, as of the client of S3, are spans as well, with their answers and failures", async () => {
  const passed: unknown[] = [];
  const server = createServer(({ headers, url }, response) => {
    passed.push(headers.traceparent);
    if (url?.startsWith("/cut")) response.destroy();
    else response.writeHead(404).end("no");
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const told: unknown[] = [];
  const stop = traceCalls({
    beginCall({ name, facts }: SpanFacts) {
      told.push(name, facts);
      return { span: noting(told), traceParent: "00-a-b-01" };
    },
  });
  const call = (path: string) =>
    new Promise<void>((resolve) => {
      const calling = request(`http://127.0.0.1:${port}${path}?key=secret`, (answer) =>
        answer.resume().on("close", resolve),
      );
      calling.on("error", () => resolve()).end();
    });
  await call("/file");
  const facts = { "http.request.method": "GET", "server.address": "127.0.0.1" };
  const answered = [["http.response.status_code", 404], ["status", 2], "end"];
  expect(told.splice(0)).toEqual(["GET 127.0.0.1", facts, ...answered]);
  await call("/cut");
  expect(told.splice(0)).toEqual([
    "GET 127.0.0.1",
    facts,
    ["error.type", "ECONNRESET"],
    ["status", 2],
    "end",
  ]);
  expect(passed).toEqual(["00-a-b-01", "00-a-b-01"]);
  stop();
  await call("/file");
  expect(told).toEqual([]);
  server.close();
});
