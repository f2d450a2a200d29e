import { EventEmitter } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import { expect, test } from "vitest";
import { createChangeStream } from "./change-stream.ts";

test("one network's open pages leave room for those of others", () => {
  const { listener, open, hangUp } = createChangeStream(
    { live: true, onChange: () => {} },
    {},
    {
      addressHeader: "x-visitor",
    },
  );
  const visit = (address: string) => {
    const response = new FakeResponse();
    const request = { url: "/live", method: "GET", headers: { "x-visitor": address }, socket: {} };
    listener(request as unknown as IncomingMessage, response as unknown as ServerResponse);
    return response;
  };
  const crowd = Array.from({ length: 1_100 }, () => visit("192.0.2.1"));
  expect(crowd.filter(({ status }) => status === 200)).toHaveLength(1_000);
  expect([crowd.at(-1)?.status, open()]).toEqual([503, 1_000]);
  expect(visit("192.0.2.2").status).toBe(200);
  crowd[0]?.emit("close");
  expect([visit("192.0.2.1").status, visit("192.0.2.1").status]).toEqual([200, 503]);
  hangUp();
});

class FakeResponse extends EventEmitter {
  status = 0;
  writableLength = 0;
  writeHead(status: number): this {
    this.status = status;
    return this;
  }
  write(): void {}
  end(): void {}
}
