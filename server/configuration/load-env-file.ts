import { existsSync, readFileSync } from "node:fs";
import { parseEnv } from "node:util";

/**
 * Adds the settings in `.env` to the environment, which takes precedence. Returns a sentence for each line that sets
 * nothing; none quotes the line, which may contain a secret. @throws the system's error if the file cannot be read
 */
export function loadEnvFile(path = ".env"): string[] {
  if (!existsSync(path)) return [];
  // Editors on Windows begin a file with a byte order mark, which would become a part of the first name.
  const text = read(path).replace(/^\ufeff/, "");
  for (const [name, value] of Object.entries(parseEnv(text))) process.env[name] ??= value;
  return findIdleLines(text).map((fault) => `${path}, ${fault}.`);
}

function read(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    // Node leaves the path out if it is a folder.
    throw Object.assign(error as Error, { path });
  }
}

const QUOTED = /^([^\n#=]*=[ \t]*)(["'`])([\s\S]*?)\2/gm;
const SETTING = /^\s*(?:export\s+)?[\w.-]+\s*=\s*(["'`])?/;

function findIdleLines(text: string): string[] {
  // A quoted value may have several lines.
  const bare = text.replace(QUOTED, (_, start, _quote, value) => start + value.replaceAll(/[^\n]/g, ""));
  return bare.split("\n").flatMap((line, index) => {
    if (/^\s*(?:#|$)/.test(line)) return [];
    const setting = SETTING.exec(line);
    if (!setting) return [`line ${index + 1} sets nothing: a setting is written NAME=value`];
    return setting[1] ? [`line ${index + 1} has a quote that is never closed`] : [];
  });
}
