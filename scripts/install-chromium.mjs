import { existsSync } from "node:fs";
import { showProgress } from "./console-progress.mjs";
import { runQuietly, ScriptError } from "./run-command.mjs";

/** Chromium without a window's belongings: the same engine, a third quicker to test with. */
const SHELL = "/usr/bin/chromium-headless-shell";
const PLACES = [
  SHELL,
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
];
const APT_GET = "/usr/bin/apt-get";
const MISSING = "The tests need Chromium: install it, or set CHROMIUM_PATH to where it is.";

/** Gives the path of a Chromium: `CHROMIUM_PATH`, or Debian's shell, installed where we may, or whichever is there. */
export async function ensureChromium() {
  const chosen = process.env.CHROMIUM_PATH;
  if (chosen && !existsSync(chosen))
    throw new ScriptError(`CHROMIUM_PATH is ${chosen}, and nothing is there.`);
  if (chosen) return chosen;
  const found = PLACES.find(existsSync);
  if (found === SHELL || (found && !mayInstall())) return found;
  try {
    await showProgress("Installing Chromium", () => "", installDebianChromium);
  } catch (error) {
    if (!found) throw error;
    console.log(`${error.message} The tests go on with ${found}.`);
  }
  const installed = PLACES.find(existsSync);
  if (!installed) throw new ScriptError(MISSING);
  return installed;
}

/** Without asking anybody: beside a Chromium that does as well, nobody is bothered for a password. */
const mayInstall = () => process.getuid?.() === 0 && existsSync(APT_GET);

async function installDebianChromium() {
  if (!existsSync(APT_GET)) throw new ScriptError(MISSING);
  const asRoot = process.getuid?.() === 0 ? [] : ["sudo", "--non-interactive"];
  const aptGet = (...args) => {
    const [command, ...rest] = [...asRoot, "apt-get", ...args];
    return runQuietly(command, rest, { DEBIAN_FRONTEND: "noninteractive" });
  };
  // Fonts, or every page in the tests would be drawn as boxes where our own do not reach.
  const install = (browser) =>
    aptGet(
      "install",
      "--yes",
      "--no-install-recommends",
      browser,
      "fonts-liberation",
      "fonts-noto-color-emoji",
    );
  try {
    await aptGet("update");
    await install("chromium-headless-shell").catch(() => install("chromium"));
  } catch (error) {
    throw new ScriptError(`${MISSING} apt-get said: ${error.message}`);
  }
}
