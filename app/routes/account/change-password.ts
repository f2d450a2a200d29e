import type { SessionClient } from "#app/features/session/session-client.ts";

type PasswordChange = { password: string; nonce: string; current: string };

/** What the service requires besides the new password: a mailed code, or the current password. */
export type WantedProof = "nonce" | "current";

type Answer = { error: { message: string; code?: string | undefined } | null; wanted?: WantedProof };

/** Saves the password, or returns what is still required; a code is then on its way. */
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
  // If it is still refused after a proof, the service wants a mailed code.
  if (!isProved) return { error };
  const asked = await client.auth.reauthenticate();
  return asked.error ? asked : { error: null, wanted: "nonce" };
}

/** Saves a password that may be stored already, and is the current one then, which the service checks first. */
export async function repeatChange(
  ...[client, change, isProved]: Parameters<typeof changePassword>
): Promise<Answer> {
  const stored = change.current && { ...change, current: change.password };
  let answer = await changePassword(client, stored || change, isProved);
  if (stored && answer.error?.code === "current_password_invalid")
    answer = await changePassword(client, change, isProved);
  return answer.error?.code === "same_password" ? { error: null } : answer;
}
