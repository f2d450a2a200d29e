import type { SupabaseClient } from "@supabase/supabase-js";
import { TOTP } from "otpauth";

/** Adds an authenticator app to the client's user; returns what generates its next code, since each works once. */
export async function addAppFactor({ auth }: Pick<SupabaseClient, "auth">): Promise<() => string> {
  const { data, error } = await auth.mfa.enroll({ factorType: "totp", friendlyName: "App" });
  if (!data) throw error;
  const app = new TOTP({ secret: data.totp.secret });
  const { error: refused } = await auth.mfa.challengeAndVerify({ factorId: data.id, code: app.generate() });
  if (refused) throw refused;
  return () => app.generate({ timestamp: Date.now() + 30_000 });
}
