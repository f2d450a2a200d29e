import { createStore } from "#app/ui/store.ts";
import { currentSession, sessionStore } from "./session-store.ts";

/** A store of what was done here for its user; as at first once another user signs in without a reload. */
export function createUsersStore<T>(initial: T): ReturnType<typeof createStore<T>> {
  const store = createStore(initial);
  let user = currentSession().session?.user.id;
  sessionStore.subscribe(() => {
    const next = currentSession().session?.user.id;
    if (user && next && next !== user) store.set(initial);
    user = next ?? user;
  });
  return store;
}
