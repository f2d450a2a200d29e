import type { SessionClient } from "#app/features/session/session-client.ts";

export type PasswordChange = { password: string; nonce: string; current: string };

/** What the service wants beside the new password: a mailed code, or the password that is good now. */
export type WantedProof = "nonce" | "current";

type Answer = { error: { message: string; code?: string | undefined } | null; wanted?: WantedProof };

/** Saves the password, or says what is still wanted for that; a code is on its way then. */
export async function changePassword(
  client: SessionClient,
  change: PasswordChange,
  isProved: boolean,
): Promise<Answer> {
  const { error } = await client.auth.updateUser({
    password: change.password,
    ...(change.nonce && { nonce: change.nonce }),
    ...(change.current && { current_password: change.current }),
  });
  if (error?.code === "current_password_required") return { error: null, wanted: "current" };
  if (error?.code !== "reauthentication_needed") return { error };
  // Asked for after a proof as well, it is a mailed code that the service wants.
  if (!isProved) return { error };
  const asked = await client.auth.reauthenticate();
  return asked.error ? asked : { error: null, wanted: "nonce" };
}
