import { expect, test } from "vitest";
import type { SessionClient } from "#app/features/session/session-client.ts";
import { type Known, submitRating } from "./submit-rating.ts";
import type { OwnRating } from "./trader-queries.ts";

const AWAY = { data: null, error: { code: "", message: "fetch failed" }, status: 0 };
const REFUSED = {
  data: null,
  error: { code: "PT429", message: "You can give 30 ratings a day." },
  status: 429,
};
const UNREACHABLE = "Your rating could not be sent. Nothing is lost; please try again in a moment.";

/** A form of a rater; `stored` is the rating that the service has, `fate` what happens to the next request. */
function makeForm() {
  let known: Known = { earlier: null, isUnanswered: false };
  const world = {
    stored: null as OwnRating | null,
    fate: "" as "" | "lost read" | "lost answer" | "refused",
  };
  const take = (fate: typeof world.fate) => {
    const isMeant = world.fate === fate;
    if (isMeant) world.fate = "";
    return isMeant;
  };
  const read = async () =>
    take("lost read") ? AWAY : { data: world.stored && { ...world.stored }, error: null, status: 200 };
  async function save({ rating, comment }: OwnRating) {
    if (take("refused")) return REFUSED;
    world.stored = { rating, comment, created_at: crypto.randomUUID() };
    return take("lost answer") ? AWAY : { data: { comment }, error: null, status: 201 };
  }
  const reading = { eq: () => reading, maybeSingle: () => ({ retry: read }) };
  const from = () => ({
    select: () => reading,
    upsert: (row: OwnRating) => ({ select: () => ({ single: () => save(row) }) }),
  });
  const getSession = async () => ({ data: { session: { user: { id: "ann" } } }, error: null });
  const client = { auth: { getSession }, from } as unknown as SessionClient;
  const submit = (stars: number) =>
    submitRating(client, "ann", "zoe", { stars, comment: "" }, known, (now) => {
      known = now;
    });
  return { world, submit };
}

test("a rating given elsewhere is shown before it is replaced, also if an earlier look for one failed", async () => {
  const { world, submit } = makeForm();
  world.fate = "lost read";
  await expect(submit(5)).rejects.toThrow(UNREACHABLE);
  world.stored = { rating: 1, comment: "Slow", created_at: "elsewhere" };
  await expect(submit(5)).rejects.toThrow(
    "You rated this trader somewhere else in the meantime: 1 star, “Slow”. Submit again to replace it.",
  );
  expect(world.stored.rating).toBe(1);
  await submit(5);
  expect(world.stored.rating).toBe(5);
});

test("a rating whose answer was lost is not told as given elsewhere, also after a refused attempt", async () => {
  const { world, submit } = makeForm();
  world.fate = "lost answer";
  await expect(submit(5)).rejects.toThrow(UNREACHABLE);
  world.fate = "refused";
  await expect(submit(4)).rejects.toThrow("You can give 30 ratings a day.");
  await submit(3);
  expect(world.stored?.rating).toBe(3);
});
