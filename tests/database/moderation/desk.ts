import type { Client } from "pg";
import { ADD_MODERATOR, OWNERS } from "#tests/helpers/people.ts";

const { Ana, Ben } = OWNERS;

/** Ids of Ben's message, of his rating, and of the rating that he answered. */
export const subjects = {
  message: "c0000000-0000-4000-8000-00000000000b",
  rating: "d1000000-0000-4000-8000-00000000000b",
  answer: "d1000000-0000-4000-8000-00000000000a",
} as const;

/** Adds a moderator and, by Ben, a message, a picture, a rating with a comment and an answer to Ana's rating. */
export const ADD_DESK = `${ADD_MODERATOR}
  insert into public.chat_messages (id, user_id, message) values ('${subjects.message}', '${Ben.id}', 'from a trader');
  insert into storage.objects (bucket_id, name, owner) values ('avatars', '${Ben.id}/bad.png', '${Ben.id}');
  update public.profiles set avatar_url = '/storage/v1/object/public/avatars/${Ben.id}/bad.png'
    where id = '${Ben.id}';
  insert into public.user_ratings (id, rater_id, rated_user_id, rating, comment) values
    ('${subjects.rating}', '${Ben.id}', '${Ana.id}', 1, 'Slow'),
    ('${subjects.answer}', '${Ana.id}', '${Ben.id}', 2, 'Rude');
  update public.user_ratings set answer = 'Was not', answered_at = now() where id = '${subjects.answer}';`;

/** The reports visible to the caller, oldest first. */
export async function reportsOf(client: Client) {
  const { rows } = await client.query(
    `select id, kind, code, evidence, reported_user_id, reporter_id, resolved_at, outcome
     from public.reports order by created_at, kind desc`,
  );
  return rows;
}
