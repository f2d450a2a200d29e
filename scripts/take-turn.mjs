import { rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

const AGAIN_MS = 100;
const RENEW_MS = 1_000;
const LAPSES_AFTER_MS = 20_000;

/**
 * Takes a lock that one process has at a time, and returns a function that releases it. The file is renewed meanwhile
 * and lapses without that: a process id in it may belong to another program after a crash, and a lock of the kernel's
 * needs a later Node than these scripts.
 * @param onWait called once if another process has it
 */
export async function takeTurn(file, onWait) {
  if (!tryTurn(file)) {
    onWait();
    while (!tryTurn(file)) await sleep(AGAIN_MS);
  }
  const timer = setInterval(() => renew(file), RENEW_MS).unref();
  return () => {
    clearInterval(timer);
    rmSync(file, { force: true });
  };
}

function tryTurn(file) {
  if (isLapsed(file)) rmSync(file, { force: true });
  try {
    writeFileSync(file, "", { flag: "wx" });
    return true;
  } catch (error) {
    if (error.code !== "EEXIST") throw error;
    return false;
  }
}

/** A time to come is of a clock that has been set back since. */
function isLapsed(file) {
  const found = statSync(file, { throwIfNoEntry: false });
  return found !== undefined && Math.abs(Date.now() - found.mtimeMs) > LAPSES_AFTER_MS;
}

function renew(file) {
  try {
    utimesSync(file, new Date(), new Date());
  } catch {
    // Removed by hand: the build goes on.
  }
}
