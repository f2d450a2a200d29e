import { readFileSync } from "node:fs";
import type { ResolveHookSync } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

/** `npm:@scope/name@version/path`, as Deno writes it. */
const NPM = /^npm:\/?((?:@[^/@]+\/)?[^/@]+)(?:@([^/]+))?(\/.*)?$/;

/**
 * Resolves `npm:` imports from the packages installed in `packages`, and refuses imports that would need a download.
 */
export function createResolver(packages: string): ResolveHookSync {
  const parentURL = pathToFileURL(join(packages, "package.json")).href;
  return (specifier, context, next) => {
    // Type declarations of Supabase's edge runtime, which its templates import first.
    if (specifier.endsWith(".d.ts")) return { url: "data:text/javascript,", shortCircuit: true };
    const [, name, version, path = ""] = NPM.exec(specifier) ?? [];
    if (name !== undefined) {
      requireVersion(packages, name, version);
      return next(name + path, { ...context, parentURL });
    }
    if (/^(jsr|https?):/.test(specifier)) throw refusal(specifier);
    return next(specifier, context);
  };
}

function refusal(specifier: string): Error {
  return fail(`${specifier} is not downloaded: install the package with npm, and import it as npm:NAME.`);
}

/** Refuses an import of another major version than the installed one, whose API may differ. */
function requireVersion(packages: string, name: string, asked = ""): void {
  const wanted = /\d+/.exec(asked)?.[0];
  const installed = installedVersion(packages, name);
  if (installed === null) throw fail(`npm:${name} is not installed: run \`npm install ${name}\`.`);
  if (wanted !== undefined && installed.split(".")[0] !== wanted)
    throw fail(`npm:${name}@${asked} is not what is installed, which is ${installed}.`);
}

function installedVersion(packages: string, name: string): string | null {
  try {
    return JSON.parse(readFileSync(join(packages, "node_modules", name, "package.json"), "utf8")).version;
  } catch {
    return null;
  }
}

function fail(message: string): Error {
  return Object.assign(new Error(message), { code: "ERR_FUNCTION_IMPORT" });
}
