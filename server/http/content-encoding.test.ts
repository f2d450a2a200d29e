import { expect, test } from "vitest";
import { chooseEncoding } from "./content-encoding.ts";

test.each([
  [undefined, "identity"],
  ["", "identity"],
  ["zstd", "identity"],
  ["br;q=0, gzip;q=0", "identity"],
  ["gzip", "gzip"],
  ["gzip, deflate, br, zstd", "br"],
  ["gzip;q=1.0, br;q=0.5", "gzip"],
  ["*", "br"],
  ["br;q=0, *", "gzip"],
  ["GZIP", "gzip"],
])("who accepts %j gets %s", (accepted, encoding) => {
  expect(chooseEncoding(accepted)).toBe(encoding);
});
