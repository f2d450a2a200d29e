import { readFileSync } from "node:fs";

/**
 * Calls back when the npm that started this process is gone. npm forwards a Ctrl-C, but when npm itself is killed, its
 * children are not notified, and an orphaned server would keep the data folder locked.
 */
export function watchNpm(onGone) {
  const npm = process.env.npm_lifecycle_event ? findNpm() : null;
  if (!npm) return;
  const timer = setInterval(() => {
    if (isNpm(npm)) return;
    clearInterval(timer);
    onGone();
  }, 500);
  timer.unref();
}

/** npm runs scripts in a shell, which may or may not replace itself with the command. Linux only: null elsewhere. */
function findNpm() {
  const parents = [process.ppid, findParent(process.ppid)];
  return parents.find((pid) => pid > 1 && isNpm(pid)) ?? null;
}

function isNpm(pid) {
  return /^(npm|node\0.*npm)/.test(readProcess(pid, "cmdline"));
}

function findParent(pid) {
  return Number(readProcess(pid, "stat").split(") ")[1]?.split(" ")[1] ?? 0);
}

function readProcess(pid, file) {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "utf8");
  } catch {
    return "";
  }
}
