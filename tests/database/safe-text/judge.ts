import type { Client } from "pg";
import type { Evasion } from "./corpora.ts";

export type Verdict = { shown: string; hidden: string[] | null; refusal: string | null };

export async function judge(client: Client, texts: string[]): Promise<Verdict[]> {
  const { rows } = await client.query<Verdict>(
    `select verdict.* from unnest($1::text[]) with ordinality as given (text, place),
       private.judge_text(text) as verdict order by place`,
    [texts],
  );
  return rows;
}

export const isWhole = ({ hidden, refusal }: Verdict) => hidden === null && refusal === null;

/**
 * The evasions whose harm reaches others: neither refused nor hidden, even when their pieces are sent one by one. All
 * are judged by a few statements: thousands of small ones take half as long again.
 */
export async function findThrough(client: Client, evasions: Evasion[]): Promise<string[]> {
  const names = evasions.filter(({ kind }) => kind === "usernames");
  const texts = evasions.filter(({ kind }) => kind !== "usernames");
  const allowed = await ask(client, "private.find_username_fault(text) is null", names);
  const spelled = await ask(client, "private.holds_spelling(text)", texts);
  const judged = texts.map(({ messages }) => [...messages, ...joinedSoFar(messages)]);
  const verdicts = await judge(client, judged.flat());
  const through = new Set(names.filter((_, index) => allowed[index]));
  for (const [index, evasion] of texts.entries()) {
    const own = verdicts.splice(0, judged[index]?.length);
    const isStopped = evasion.messages.length > 1 && spelled[index];
    if (!isStopped && isThrough(evasion, own)) through.add(evasion);
  }
  return evasions.filter((evasion) => through.has(evasion)).map(({ line }) => line);
}

const joinedSoFar = (messages: string[]) =>
  messages.slice(1).map((_, index) => messages.slice(0, index + 2).join("\n"));

/** The answers to a yes-or-no question about each evasion's whole text. */
async function ask(client: Client, question: string, evasions: Evasion[]): Promise<boolean[]> {
  const { rows } = await client.query<{ answer: boolean }>(
    `select ${question} as answer from unnest($1::text[]) with ordinality as given (text, place) order by place`,
    [evasions.map(({ messages }) => messages.join(" "))],
  );
  return rows.map(({ answer }) => answer);
}

function isThrough({ messages, harm }: Evasion, verdicts: Verdict[]): boolean {
  if (verdicts.some(({ refusal }) => refusal !== null)) return false;
  const shown = verdicts
    .slice(0, messages.length)
    .map((verdict) => verdict.shown)
    .join(" / ");
  return harm.length > 0 ? harm.some((part) => shown.includes(part)) : !shown.includes("####");
}
