import type { Client } from "#app/features/site/client.ts";
import { changeSession, currentSession } from "./session-store.ts";

/**
 * Asks the database whether this person is an admin (3.role.017.read.01), a moderator or an editor (P48), and lets the session tell it.
 * An answer that never came changes nothing that was known; it is told as false.
 */
export async function askForRoles(client: Client, userId: string): Promise<boolean> {
  const { data: live } = await client.auth.getSession();
  if (live.session?.user.id !== userId) return false;
  const { data, error } = await client
    .from("user_roles")
    .select("role")
    .eq("user_id", userId)
    // Left to itself the client asks as a visitor when another tab ends the session just now: visitors are refused here.
    .setHeader("authorization", `Bearer ${live.session.access_token}`);
  if (error) return false;
  const roles = data.map(({ role }) => role);
  const isAdmin = roles.includes("admin");
  if (currentSession().session?.user.id === userId)
    changeSession({
      isAdmin,
      isModerator: isAdmin || roles.includes("moderator"),
      isEditor: isAdmin || roles.includes("editor"),
    });
  return true;
}
