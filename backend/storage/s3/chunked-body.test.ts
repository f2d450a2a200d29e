import { expect, test } from "vitest";
import { ChunkedBody } from "./chunked-body.ts";
import { createSigner } from "./signature.ts";

// The example from AWS's protocol documentation.
const scope = "20130524/us-east-1/s3/aws4_request";
const sign = createSigner(scope, "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY");
const signature = {
  accessKey: "AKIAIOSFODNN7EXAMPLE",
  scope,
  time: "20130524T000000Z",
  signedHeaders: ["host"],
  signature: "4f232c4386841ef735655705268965c44a0e4690baa4adea153f7db9fa80a0a9",
  sessionToken: null,
  payload: "STREAMING-AWS4-HMAC-SHA256-PAYLOAD",
};
const signed = (last = "b6c6ea8a5354eaf15b3cb7646744f4275b71ea724fed81ceb9323e279d449df9") =>
  `10000;chunk-signature=ad80c730a21e5b8d04586a2213dd63b9a0e99e0e2307b0ade35a65485a288648\r\n${"a".repeat(65_536)}\r\n` +
  `400;chunk-signature=0055627c9e194cb4542bae2aa5492e3c1575bbb81b612b7d234b86a503ef5497\r\n${"a".repeat(1024)}\r\n` +
  `0;chunk-signature=${last}\r\n\r\n`;

async function decode(text: string, isSigned: boolean, step = 1000) {
  const body = new ChunkedBody(isSigned ? { sign, signature } : null);
  for (let start = 0; start < text.length; start += step)
    body.write(Buffer.from(text.slice(start, start + step)));
  body.end();
  let content = "";
  for await (const chunk of body) content += chunk;
  return { content, trailers: Object.fromEntries(body.trailers) };
}

test("signed chunks are decoded, however they are split in transit", async () => {
  for (const step of [7, 1000, 100_000]) {
    expect((await decode(signed(), true, step)).content).toBe("a".repeat(66_560));
  }
});

test.each([
  ["a changed byte", signed().replace("aaaa", "aaab"), "SignatureDoesNotMatch"],
  ["another last signature", signed("0".repeat(64)), "SignatureDoesNotMatch"],
  ["an unsigned piece", `1\r\na\r\n0\r\n\r\n`, "IncompleteBody"],
  ["an end that does not come", signed().slice(0, 65_000), "IncompleteBody"],
  ["more behind the end", `${signed()}more`, "IncompleteBody"],
  ["a size that is none", "zz\r\n", "IncompleteBody"],
  ["a header without an end", "1".repeat(5000), "IncompleteBody"],
])("%s is an error", async (_, text, code) => {
  await expect(decode(text, true)).rejects.toMatchObject({ code });
});

test("unsigned chunks include their trailers", async () => {
  const text = "3\r\nabc\r\n2\r\nde\r\n0\r\nx-amz-checksum-crc32:hYfSGA==\r\n\r\n";
  expect(await decode(text, false, 1)).toEqual({
    content: "abcde",
    trailers: { "x-amz-checksum-crc32": "hYfSGA==" },
  });
  await expect(decode("3\r\nabcd\r\n0\r\n\r\n", false)).rejects.toMatchObject({ code: "IncompleteBody" });
});

test("a body of crumbs is left early, as each chunk costs as much as a large one", async () => {
  const body = (crumbs: number) => `${"1\r\na\r\n".repeat(crumbs)}0\r\n\r\n`;
  expect((await decode(body(9_000), false, 60_000)).content).toBe("a".repeat(9_000));
  await expect(decode(body(11_000), false, 60_000)).rejects.toMatchObject({ code: "InvalidChunkSizeError" });
});

test("trailers are limited by their lines, also by those that repeat a name", async () => {
  const text = `0\r\n${"a:b\r\n".repeat(100_000)}\r\n`;
  await expect(decode(text, false)).rejects.toMatchObject({ code: "IncompleteBody" });
});
