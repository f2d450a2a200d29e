import { existsSync } from "node:fs";
import { showProgress } from "../console-progress.mjs";
import { runQuietly, ScriptError } from "../run-command.mjs";

/** Headless Chromium: the same engine, with tests a third faster. */
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

/**
 * Returns the path of a Chromium: `CHROMIUM_PATH`, or Debian's headless shell, installed if permitted, or any other
 * found.
 */
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

/** Only as root, without prompting: if another Chromium will do, nobody is asked for a password. */
const mayInstall = () => process.getuid?.() === 0 && existsSync(APT_GET);

async function installDebianChromium() {
  if (!existsSync(APT_GET)) throw new ScriptError(MISSING);
  const asRoot = process.getuid?.() === 0 ? [] : ["sudo", "--non-interactive"];
  const aptGet = (...args) => {
    const [command, ...rest] = [...asRoot, "apt-get", ...args];
    return runQuietly(command, rest, { DEBIAN_FRONTEND: "noninteractive" });
  };
  // With fonts, or test pages would show boxes for characters outside our own fonts.
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
