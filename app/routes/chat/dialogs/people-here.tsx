import { Link } from "react-router";
import { useOwnRead } from "#app/features/session/use-own-read.ts";
import { readPeople } from "#app/routes/chat/room/people-queries.ts";

/** How many people are named; a larger crowd adds a count of the rest. */
const MOST_NAMES = 100;

/** The people in the room by their names in the database: a client's own claim is not trusted. */
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
