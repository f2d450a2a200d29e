import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

/** A call from the official client's own documentation, with its database and the answer it promises. */
export type DocumentedExample = {
  /** The method it documents, and the example's name there. */
  title: string;
  sql: string;
  code: string;
  answer: { data?: unknown; error?: object; count?: number; status?: number };
};

const FILES = [
  "PostgrestQueryBuilder",
  "PostgrestFilterBuilder",
  "PostgrestTransformBuilder",
  "PostgrestClient",
];

/** The examples of the installed `@supabase/postgrest-js` that include a database and an answer. */
export function readDocumentedExamples(): DocumentedExample[] {
  const root = dirname(createRequire(import.meta.url).resolve("@supabase/postgrest-js/package.json"));
  return FILES.flatMap((file) => readFile(readFileSync(join(root, "src", `${file}.ts`), "utf8")));
}

function readFile(source: string): DocumentedExample[] {
  const comments = source.matchAll(/\/\*\*\n(.*?)\*\/\s*(?:async )?(?:get )?(\w+)/gs);
  return [...comments].flatMap(([, comment = "", method = ""]) => readComment(comment, method));
}

function readComment(comment: string, method: string): DocumentedExample[] {
  const parts = new Map<string, string>();
  const text = comment.replace(/^ *\* ?/gm, "");
  for (const [, kind, name = "", part = ""] of text.matchAll(
    /^@(example|exampleSql|exampleResponse) ([^\n]*)\n *```\w*\n(.*?)^ *```/gms,
  ))
    parts.set(`${kind} ${name.trim()}`, part);
  return [...parts].flatMap(([key, code]) => {
    if (!key.startsWith("example ")) return [];
    const name = key.slice("example ".length);
    const [sql, answer] = [parts.get(`exampleSql ${name}`), parts.get(`exampleResponse ${name}`)];
    const told = answer && parseAnswer(answer);
    return sql && told ? [{ title: `${method}(): ${name}`, sql, code, answer: told }] : [];
  });
}

function parseAnswer(text: string): DocumentedExample["answer"] | null {
  try {
    const answer = JSON.parse(text);
    // One example only lists rows of a table that its own SQL does not create.
    return Array.isArray(answer) ? null : answer;
  } catch {
    return null;
  }
}
