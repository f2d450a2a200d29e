import { expect, test } from "vitest";
import { orderHead } from "./order-head.ts";

test("styles and font come first, then scripts with the entry last and at lower priority; images are left to the body", () => {
  const html =
    '<html><head><link rel="preload" as="image" href="/a.svg"/><link rel="preload" as="font" href="/f.woff2"/>' +
    '<link rel="modulepreload" href="/entry.js"/><link rel="modulepreload" href="/a.js"/><link rel="stylesheet" href="/a.css"/></head>' +
    '<body><img src="/a.svg"/>&lt;link rel="modulepreload"></body></html>';
  expect(orderHead(html)).toBe(
    '<html><head><link rel="preload" as="font" href="/f.woff2"/><link rel="stylesheet" href="/a.css"/>' +
      '<link rel="modulepreload" fetchpriority="low" href="/a.js"/>' +
      '<link rel="modulepreload" fetchpriority="low" href="/entry.js"/></head>' +
      '<body><img src="/a.svg"/>&lt;link rel="modulepreload"></body></html>',
  );
});
