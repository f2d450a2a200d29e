import { Link } from "react-router";
import { useOwnRead } from "#app/features/session/use-own-read.ts";
import { readPeople } from "#app/routes/chat/room/people-queries.ts";

/** So many people are named; of a larger crowd the rest is a number. */
const MOST_NAMES = 100;

/** Who is here, by the names that the database knows: what a browser says about itself is not believed. */
export function PeopleHere({ here }: { here: readonly string[] }) {
  const asked = here.slice(0, MOST_NAMES).toSorted().join();
  const [people] = useOwnRead((client) => readPeople(client, asked.split(",")), { of: asked });
  if (people === "reading") return <p className="text-muted">Checking who’s online…</p>;
  if (people === "failed") return <p role="alert">The names can't be loaded right now.</p>;
  const others = here.length - people.length;
  return (
    <ul className="flex flex-wrap gap-x-5 gap-y-1">
      {people.map(({ id, username }) => (
        <li key={id}>
          <Link to={`/community/${username}`} className="link inline-flex min-h-9 items-center">
            {username}
          </Link>
        </li>
      ))}
      {others > 0 && (
        <li className="flex min-h-9 items-center text-muted">
          {people.length > 0 ? `and ${others} more` : others}
        </li>
      )}
    </ul>
  );
}
