import { existsSync } from "node:fs";
import { showProgress } from "./console-progress.mjs";
import { runQuietly, ScriptError } from "./run-command.mjs";

const PLACES = [
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
];
const MISSING = "The tests need Chromium: install it, or set CHROMIUM_PATH to where it is.";

/** Gives the path of a Chromium, installing Debian's where there is none and we may. */
export async function ensureChromium() {
  const chosen = process.env.CHROMIUM_PATH;
  if (chosen && !existsSync(chosen))
    throw new ScriptError(`CHROMIUM_PATH is ${chosen}, and nothing is there.`);
  const found = chosen ?? PLACES.find(existsSync);
  if (found) return found;
  await showProgress("Installing Chromium", () => "", installDebianChromium);
  const installed = PLACES.find(existsSync);
  if (!installed) throw new ScriptError(MISSING);
  return installed;
}

async function installDebianChromium() {
  if (!existsSync("/usr/bin/apt-get")) throw new ScriptError(MISSING);
  const asRoot = process.getuid?.() === 0 ? [] : ["sudo", "--non-interactive"];
  const aptGet = (...args) => {
    const [command, ...rest] = [...asRoot, "apt-get", ...args];
    return runQuietly(command, rest, { DEBIAN_FRONTEND: "noninteractive" });
  };
  try {
    await aptGet("update");
    // Fonts, or every page in the tests would be drawn as boxes where our own do not reach.
    await aptGet(
      "install",
      "--yes",
      "--no-install-recommends",
      "chromium",
      "fonts-liberation",
      "fonts-noto-color-emoji",
    );
  } catch (error) {
    throw new ScriptError(`${MISSING} apt-get said: ${error.message}`);
  }
}
