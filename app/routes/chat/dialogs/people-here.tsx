import { useEffect, useState } from "react";
import { Link } from "react-router";
import type { SessionClient } from "#app/features/session/session-client.ts";
import { type Person, readPeople } from "#app/routes/chat/room/people-queries.ts";

/** So many people are named; of a larger crowd the rest is a number. */
const MOST_NAMES = 100;

/** Who is here, by the names that the database knows: what a browser says about itself is not believed. */
export function PeopleHere({ client, here }: { client: SessionClient; here: readonly string[] }) {
  const [people, setPeople] = useState<readonly Person[] | null>();
  const asked = here.slice(0, MOST_NAMES).sort().join();
  useEffect(() => {
    let isCurrent = true;
    readPeople(client, asked.split(","))
      .catch(() => null)
      .then((read) => isCurrent && setPeople(read));
    return () => {
      isCurrent = false;
    };
  }, [client, asked]);

  if (people === undefined) return <p className="text-muted">Checking who’s online…</p>;
  if (people === null) return <p role="alert">The names can't be loaded right now.</p>;
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
