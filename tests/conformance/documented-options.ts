import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

/** The public API that a client's class declares: `upload`, and `upload cacheControl` for its option. */
export function readDocumentedOptions(pkg: string, files: string[], types: string[] = []): string[] {
  const root = dirname(createRequire(import.meta.url).resolve(`${pkg}/package.json`));
  const read = (file: string) =>
    readFileSync(join(root, "src", `${file}.ts`), "utf8").replaceAll(/\/\*[\s\S]*?\*\/|^ *\/\/.*$/gm, "");
  const named = readTypes([...files, ...types].map(read).join("\n"));
  return [...new Set(files.flatMap((file) => methodsOf(read(file), named)))].sort();
}

/** A type's members by its name, including the types it is composed of. */
function readTypes(source: string): Map<string, string> {
  const declared = source.matchAll(
    /^(?:export )?(?:interface|type) (\w+)(?:<[^=\n]*>)?(?: extends ([\w, ]+))?[ =]+(.*?)^(?=\S)/gms,
  );
  return new Map(
    [...declared].map(([, name = "", parents = "", body = ""]) => [name, `${parents} ${body}}`]),
  );
}

/** Skips members that are private, protected or internal to the package. */
function methodsOf(source: string, named: Map<string, string>): string[] {
  const starts = source.matchAll(/^ {2}(?:public |override )*(?:async )?([a-z]\w*)(?=[(<])/gm);
  return [...starts].flatMap(({ 1: name = "", index }) => {
    if (name === "constructor") return [];
    const options = optionsOf(signature(source, index), named, new Set());
    return [name, ...options.map((option) => `${name} ${option}`)];
  });
}

/** Reads up to the closing parenthesis of the parameters; parameters of a callback are not options. */
function signature(source: string, start: number): string {
  let depth = 0;
  for (let end = source.indexOf("(", start); ; end++) {
    if (source[end] === "(") depth++;
    else if (source[end] === ")" && --depth === 0)
      return source.slice(start, end).replace(/\bcallback\??:.*/s, "");
  }
}

function optionsOf(text: string, named: Map<string, string>, seen: Set<string>): string[] {
  const inline = [...inBraces(text).matchAll(/(?<!\[)\b(\w+)\??:/g)].map(([, option = ""]) => option);
  const inner = [...text.matchAll(/\b[A-Z]\w+/g)].flatMap(([type]) => {
    const body = seen.has(type) ? undefined : named.get(type);
    if (body === undefined) return [];
    seen.add(type);
    return optionsOf(body, named, seen);
  });
  return [...inline, ...inner];
}

function inBraces(text: string): string {
  let depth = 0;
  let inside = "";
  for (const sign of text) {
    if (sign === "}") depth--;
    if (depth > 0) inside += sign;
    if (sign === "{") depth++;
  }
  return inside;
}

/** A proxy that records calls and their options in `used`, also on returned objects that have methods. */
export function noteUse<Target extends object>(target: Target, used: Set<string>): Target {
  return new Proxy(target, {
    get(_, key, noting) {
      const member = Reflect.get(target, key) as unknown;
      if (typeof member !== "function") return member;
      return (...args: unknown[]) => {
        used.add(String(key));
        for (const option of args.flatMap(keysOf)) used.add(`${String(key)} ${option}`);
        const given = Reflect.apply(member, target, args) as unknown;
        return given === target ? noting : isService(given) ? noteUse(given, used) : given;
      };
    },
  });
}

const isPlain = (value: unknown): value is object =>
  typeof value === "object" &&
  value !== null &&
  [Object.prototype, Array.prototype].includes(Object.getPrototypeOf(value));

function keysOf(value: unknown): string[] {
  if (!isPlain(value)) return [];
  const inner = Object.values(value).flatMap(keysOf);
  return Array.isArray(value) ? inner : [...Object.keys(value), ...inner];
}

function isService(value: unknown): value is object {
  return typeof value === "object" && value !== null && !isPlain(value) && !isPromise(value);
}

const isPromise = (value: object) => value instanceof Promise;
