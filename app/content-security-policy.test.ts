import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { sealDocument } from "./content-security-policy.ts";

const hash = (script: string) => `'sha256-${createHash("sha256").update(script).digest("base64")}'`;
const html =
  '<head><script nonce="N0">ours()</script></head><p>kitsune</p><script>smuggled()</script><script nonce="N1">guessed()</script>';

test("a script without the render's own mark is not allowed", () => {
  const { policy } = sealDocument(html, "N0", { supabaseUrl: "" });
  expect(policy).not.toContain(hash("smuggled()"));
  expect(policy).not.toContain(hash("guessed()"));
  expect(policy).not.toMatch(/unsafe|nonce/);
});

test("a marked script is allowed by its hash, and the mark does not leave the server", () => {
  const sealed = sealDocument(html, "N0", { supabaseUrl: "" });
  expect(sealed.policy).toContain(`script-src 'self' ${hash("ours()")};`);
  expect(sealed.html).toContain("<script>ours()</script>");
  expect(sealed.html).not.toContain("N0");
});

test("a backend on another host may be talked to, by http and by websocket", () => {
  const { policy } = sealDocument(html, "N0", { supabaseUrl: "https://abc.supabase.example" });
  expect(policy).toContain("connect-src 'self' https://abc.supabase.example wss://abc.supabase.example;");
});

test("the maker of the captcha is let in where there is one, and nobody else", () => {
  const captcha = { maker: "turnstile", siteKey: "key" } as const;
  const { policy } = sealDocument("<p>", "N0", { supabaseUrl: "", captcha });
  expect(policy).toContain("script-src 'self' https://challenges.cloudflare.com;");
  expect(policy).toContain("frame-src 'self' https://challenges.cloudflare.com;");
  expect(sealDocument("<p>", "N0", { supabaseUrl: "" }).policy).not.toContain("https://");
});
