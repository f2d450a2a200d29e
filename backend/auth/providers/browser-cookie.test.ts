import { expect, test } from "vitest";
import { browserOf, nameBrowser } from "./browser-cookie.ts";

const OVER_HTTPS = { basePath: "/auth/v1", externalUrl: "https://values.example/auth/v1" };
const PLAIN = { basePath: "/auth/v1", externalUrl: "http://localhost:3000/auth/v1" };
const asked = (cookie = "") => ({ method: "GET", url: "/", headers: { cookie }, body: null });
const KEY = "k".repeat(43);

test("over https, the cookie is limited to this host by the `__Host-` prefix", () => {
  const { browser, headers } = nameBrowser(asked(), OVER_HTTPS);
  expect(headers["set-cookie"]).toBe(
    `__Host-sb-provider-flow=${browser}; Path=/; Secure; SameSite=None; Max-Age=3600; HttpOnly`,
  );
  expect(browserOf(asked(`a=b; __Host-sb-provider-flow=${KEY}`), OVER_HTTPS)).toBe(KEY);
  // A cookie without the prefix could have been set by a sibling host.
  expect(browserOf(asked(`sb-provider-flow=${KEY}`), OVER_HTTPS)).toBe("");
});

test("without https the cookie has no prefix, since browsers would reject it", () => {
  const { browser, headers } = nameBrowser(asked(`sb-provider-flow=${KEY}`), PLAIN);
  expect(browser).toBe(KEY);
  expect(headers["set-cookie"]).toBe(
    `sb-provider-flow=${KEY}; Path=/auth/v1; SameSite=Lax; Max-Age=3600; HttpOnly`,
  );
});
