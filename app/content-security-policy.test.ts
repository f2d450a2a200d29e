import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { sealDocument } from "./content-security-policy.ts";

const hash = (script: string) => `'sha256-${createHash("sha256").update(script).digest("base64")}'`;
const html =
  '<head><script nonce="N0">ours()</script></head><p>kitsune</p><script>smuggled()</script><script nonce="N1">guessed()</script>';

test("inline scripts without the nonce are not allowed", () => {
  const { policy } = sealDocument(html, "N0", { supabaseUrl: "" });
  expect(policy).not.toContain(hash("smuggled()"));
  expect(policy).not.toContain(hash("guessed()"));
  expect(policy).not.toMatch(/unsafe|nonce/);
});

test("scripts with the nonce are allowed by their hash, and the nonce is not sent to browsers", () => {
  const sealed = sealDocument(html, "N0", { supabaseUrl: "" });
  expect(sealed.policy).toContain(`script-src 'self' ${hash("ours()")};`);
  expect(sealed.html).toContain("<script>ours()</script>");
  expect(sealed.html).not.toContain("N0");
});

test("a backend on another host is allowed over http and websocket", () => {
  const { policy } = sealDocument(html, "N0", { supabaseUrl: "https://abc.supabase.example" });
  expect(policy).toContain("connect-src 'self' https://abc.supabase.example wss://abc.supabase.example;");
});

test("the captcha provider is allowed where one is configured, and no other host", () => {
  const captcha = { maker: "turnstile", siteKey: "key" } as const;
  const { policy } = sealDocument("<p>", "N0", { supabaseUrl: "", captcha });
  expect(policy).toContain("script-src 'self' https://challenges.cloudflare.com;");
  expect(policy).toContain("frame-src 'self' https://challenges.cloudflare.com;");
  expect(sealDocument("<p>", "N0", { supabaseUrl: "" }).policy).not.toContain("https://");
});
