import { ConfigurationError, type Environment, readSettingsFile } from "./variables.ts";

/**
 * Reads PostgREST's configuration file as variables: `db-uri = "…"` is `PGRST_DB_URI`, `app.settings.x` is
 * `PGRST_APP_SETTINGS_x`. In a string, `$(NAME)` is an environment variable and `$$` a dollar sign. `#` starts a
 * comment.
 */
export function readConfigFile(path: string, environment: Environment): Environment {
  const lines = readSettingsFile(path, `The configuration file ${path} cannot be read.`).split(/\r?\n/);
  const entries = lines.flatMap((line, index) => readLine(line, `${path}, line ${index + 1},`, environment));
  return Object.fromEntries(entries);
}

const ENTRY = /^\s*([A-Za-z][\w.-]*)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s"#]+))\s*(?:#.*)?$/;

function readLine(line: string, where: string, environment: Environment): [string, string][] {
  if (/^\s*(#.*)?$/.test(line)) return [];
  const [, name, quoted, bare] = ENTRY.exec(line) ?? [];
  if (name === undefined) throw new ConfigurationError(`${where} is not of the form name = "value".`);
  const value = quoted === undefined ? (bare ?? "") : readQuoted(quoted, where, environment);
  return [[variableOf(name), value]];
}

function variableOf(name: string): string {
  const [, setting] = /^app\.settings\.(.+)$/.exec(name) ?? [];
  return setting === undefined
    ? `PGRST_${name.toUpperCase().replaceAll("-", "_")}`
    : `PGRST_APP_SETTINGS_${setting}`;
}

const escapes: Record<string, string> = { n: "\n", t: "\t", r: "\r" };

function readQuoted(text: string, where: string, environment: Environment): string {
  const unescaped = text.replace(/\\(.)/g, (_, character: string) => escapes[character] ?? character);
  return unescaped.replace(/\$(?:\$|\(([^)]*)\))?/g, (found, name?: string) => {
    if (found === "$$") return "$";
    if (name === undefined) throw new ConfigurationError(`${where} has a single $: $$ stands for one.`);
    const value = environment[name];
    if (value === undefined)
      throw new ConfigurationError(`${where} names ${name}, which the environment does not have.`);
    return value;
  });
}
