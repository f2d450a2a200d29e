import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseValue } from "#domain/values/value-text.ts";
import { ANY_CHARACTER } from "#tests/helpers/any-character.ts";
import { ownDatabase } from "#tests/helpers/own-database.ts";

const database = ownDatabase();

/** The numbers that the database parses from these texts. */
async function parseInDatabase(texts: string[]): Promise<(number | null)[]> {
  const { rows } = await database.owner.query<{ number: string | null }>(
    "select private.parse_value_text(text) as number from unnest($1::text[]) with ordinality as list (text, place) order by place",
    [texts],
  );
  return rows.map(({ number }) => (number === null ? null : Number(number)));
}

const digits = fc.stringMatching(/^\d{1,8}$/);
const space = fc.constantFrom("", " ", "  ", "\u00a0", "\u202f", "\t", "\u3000", "\ufeff", "\u200b", "\n");
const separator = fc.constantFrom(",", " ", "\u00a0", "\u202f", ".", "'", "_", ", ");
const suffix = fc.constantFrom("", "k", "K", "m", "M", "b", "B", "t", "T", "KM", "q", "\u212a", "e6", "%");
/** Texts close to values, just inside and outside the grammar. */
const nearValue = fc
  .tuple(
    space,
    fc.constantFrom("", "", "", "-", "+", "$"),
    fc.oneof(
      digits,
      fc
        .tuple(
          fc.stringMatching(/^\d{1,4}$/),
          separator,
          fc.array(fc.stringMatching(/^\d{2,4}$/), { maxLength: 3 }),
        )
        .map(([head, mark, groups]) => [head, ...groups].join(mark)),
    ),
    fc.oneof(fc.constantFrom("", ".", ","), fc.stringMatching(/^\.\d{1,4}$/)),
    space,
    suffix,
    space,
  )
  .map((parts) => parts.join(""));

describe("the database and the site read the same number in a value text", () => {
  test.each([
    "640M",
    "1.5m",
    "1500000",
    "2 T",
    "1,500,000",
    "1 500 K",
    ".5M",
    "0",
    "N/A",
    "",
    "1,5M",
    "-5",
    "1e6",
    "５M",
    "٣",
  ])("%j", async (text) => {
    expect(await parseInDatabase([text])).toEqual([parseValue(text)]);
  });

  test("whatever is typed", async () => {
    const text = fc.oneof(
      { weight: 6, arbitrary: nearValue },
      { weight: 1, arbitrary: fc.string({ unit: ANY_CHARACTER, maxLength: 20 }) },
      {
        weight: 1,
        arbitrary: fc.string({ unit: fc.constantFrom(..."0123456789., kKmMbBtT\u00a0-"), maxLength: 20 }),
      },
    );
    await fc.assert(
      fc.asyncProperty(fc.array(text, { minLength: 500, maxLength: 500 }), async (texts) => {
        // PostgreSQL's text has no NUL, and no half of a surrogate pair.
        const storable = texts.filter((candidate) => !candidate.includes("\0") && candidate.isWellFormed());
        expect(await parseInDatabase(storable)).toEqual(storable.map(parseValue));
      }),
      { numRuns: 20 },
    );
  });

  test("a text that is far too long is unpriced, not an error", async () => {
    const long = [
      "9".repeat(401),
      `${"9".repeat(500_000)}T`,
      `0.${"1".repeat(100_000)}`,
      " ".repeat(100_000),
    ];
    expect(await parseInDatabase(long)).toEqual([null, null, null, null]);
    expect(await parseInDatabase([`${"9".repeat(390)}T`])).toEqual([parseValue(`${"9".repeat(390)}T`)]);
  });
});
