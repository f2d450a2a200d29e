import { execFileSync } from "node:child_process";
import { statSync } from "node:fs";

/** An operating-system account by number. */
export type SystemUser = { uid: number; gid: number };

/**
 * The account that PostgreSQL runs as, or null for this process's own. PostgreSQL refuses to run as root, so root uses
 * the owner of existing data, else `postgres`, else `nobody`.
 */
export function findDatabaseUser(clusterFolder: string): SystemUser | null {
  if (process.getuid?.() !== 0) return null;
  return (
    findOwner(clusterFolder) ?? findAccount("postgres") ?? findAccount("nobody") ?? { uid: 65534, gid: 65534 }
  );
}

function findOwner(folder: string): SystemUser | null {
  const found = statSync(folder, { throwIfNoEntry: false });
  return found && found.uid !== 0 ? { uid: found.uid, gid: found.gid } : null;
}

function findAccount(name: string): SystemUser | null {
  try {
    const id = (flag: string) =>
      Number(execFileSync("id", [flag, name], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }));
    return { uid: id("-u"), gid: id("-g") };
  } catch {
    return null;
  }
}

/** Whether the account can read and enter a path; tested by the kernel, in a process of that account. */
export function canReach(path: string, user: SystemUser): boolean {
  try {
    execFileSync("/bin/sh", ["-c", 'test -r "$1" && test -x "$1"', "sh", path], {
      ...user,
      cwd: "/",
      stdio: "ignore",
    });
    return true;
  } catch {
    return false;
  }
}
