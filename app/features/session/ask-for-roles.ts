import type { Client } from "#app/features/site/client.ts";
import { changeSession, currentSession } from "./session-store.ts";

/**
 * Asks the database whether this user is an admin (3.role.01, 7.read.01), a moderator or an editor (P48), and stores
 * that in the session. Without a response, what was known stays, and the result is false.
 */
export async function askForRoles(client: Client, userId: string): Promise<boolean> {
  const { data: live } = await client.auth.getSession();
  if (live.session?.user.id !== userId) return false;
  const { data, error } = await client
    .from("user_roles")
    .select("role")
    .eq("user_id", userId)
    // By default the client would ask as a visitor if another tab ends the session at this moment, and visitors are
    // refused here.
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
