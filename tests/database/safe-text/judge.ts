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

/** Whether an evasion's harm reaches others: neither refused nor hidden, even when its pieces are sent one by one. */
export async function isThrough(client: Client, { kind, messages, harm }: Evasion): Promise<boolean> {
  if (kind === "usernames") {
    const { rows } = await client.query("select private.find_username_fault($1) as fault", messages);
    return rows[0].fault === null;
  }
  const verdicts = await judge(client, [
    ...messages,
    ...messages.slice(1).map((_, index) => messages.slice(0, index + 2).join("\n")),
  ]);
  const { rows } = await client.query("select private.holds_spelling($1) as spells", [messages.join(" ")]);
  if (verdicts.some(({ refusal }) => refusal !== null) || (messages.length > 1 && rows[0].spells))
    return false;
  const shown = verdicts
    .slice(0, messages.length)
    .map((verdict) => verdict.shown)
    .join(" / ");
  return harm.length > 0 ? harm.some((part) => shown.includes(part)) : !shown.includes("####");
}
