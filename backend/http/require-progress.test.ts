import { EventEmitter } from "node:events";
import type { IncomingMessage } from "node:http";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { requireProgress } from "./require-progress.ts";

const PERIOD = 300_000;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function receive(headers: IncomingMessage["headers"]) {
  const socket = { bytesRead: 500 };
  const request = Object.assign(new EventEmitter(), { headers, socket, complete: false });
  const end = vi.fn();
  requireProgress(request as unknown as IncomingMessage, PERIOD, end);
  const pass = (bytes: number) => {
    socket.bytesRead += bytes;
    vi.advanceTimersByTime(PERIOD);
  };
  return { request, pass, end };
}

test.each<IncomingMessage["headers"]>([{ "content-length": "9000000" }, { "transfer-encoding": "chunked" }])(
  "a body may take hours if it goes on arriving, and is ended once it does not (%o)",
  (headers) => {
    const { pass, end } = receive(headers);
    for (let hour = 0; hour < 12; hour++) pass(PERIOD);
    expect(end).not.toHaveBeenCalled();
    pass(1_000);
    expect(end).toHaveBeenCalledOnce();
    pass(0);
    expect(end).toHaveBeenCalledOnce();
  },
);

test("what has arrived is waited for no longer, whoever reads it late, nor what is gone or has no body", () => {
  const read = receive({ "content-length": "5" });
  read.request.complete = true;
  const gone = receive({ "content-length": "5" });
  gone.request.emit("close");
  const bare = receive({ "content-length": "0" });
  for (const { pass, end } of [read, gone, bare]) {
    pass(0);
    expect(end).not.toHaveBeenCalled();
  }
  expect(vi.getTimerCount()).toBe(0);
});
