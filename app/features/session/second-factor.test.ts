import type { Session } from "@supabase/supabase-js";
import { expect, test } from "vitest";
import { owesSecondFactor } from "./second-factor.ts";

function sessionWith(aal: string, factors?: { factor_type: string; status: string }[]): Session {
  // The name makes a payload whose base64url contains both letters that differ from base64.
  const payload = Buffer.from(JSON.stringify({ aal, name: "ÿ?>ÿ~~" })).toString("base64url");
  return { access_token: `e30.${payload}.c2ln`, user: { factors } } as Session;
}

const verified = { factor_type: "totp", status: "verified" };

test.each([
  ["nobody", null, false],
  ["no factor", sessionWith("aal1"), false],
  ["a factor that was never verified", sessionWith("aal1", [{ ...verified, status: "unverified" }]), false],
  ["a verified factor that was used", sessionWith("aal2", [verified]), false],
  ["a verified factor that was not used", sessionWith("aal1", [verified]), true],
])("whether the second factor is due: %s", (_, session, owes) =>
  expect(owesSecondFactor(session)).toBe(owes),
);
