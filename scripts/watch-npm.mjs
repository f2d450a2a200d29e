import { readFileSync } from "node:fs";

/**
 * Calls back when the npm that started this process is gone. npm hands a Ctrl-C on, but when npm itself is killed,
 * nothing tells its children, and a server that nobody can stop any more would hold the data folder.
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

/** npm runs a script by a shell, which may or may not replace itself by the command. Linux only: elsewhere null. */
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
