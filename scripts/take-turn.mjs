import { randomUUID } from "node:crypto";
import { readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

const AGAIN_MS = 100;
const RENEW_MS = 1_000;
const LAPSES_AFTER_MS = 20_000;

/**
 * Takes a lock that one process has at a time. The file is renewed meanwhile and lapses without that: a process id in it
 * may belong to another program after a crash, and a lock of the kernel's needs a later Node than these scripts. A
 * process that was suspended may have lost it, so the file names its owner.
 * @param onWait called once if another process has it
 */
export async function takeTurn(file, onWait) {
  const owner = randomUUID();
  if (!tryTurn(file, owner)) {
    onWait();
    while (!tryTurn(file, owner)) await sleep(AGAIN_MS);
  }
  const isOurs = () => readOwner(file) === owner;
  const timer = setInterval(() => isOurs() && renew(file), RENEW_MS).unref();
  return {
    isOurs,
    release() {
      clearInterval(timer);
      if (isOurs()) rmSync(file, { force: true });
    },
  };
}

function readOwner(file) {
  try {
    return readFileSync(file, "utf8");
  } catch {
    // Lapsed and removed, or removed by hand.
    return null;
  }
}

function tryTurn(file, owner) {
  if (isLapsed(file)) rmSync(file, { force: true });
  try {
    writeFileSync(file, owner, { flag: "wx" });
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
    // Removed meanwhile by the next one, after a suspension.
  }
}
