import { changeSession } from "#app/features/session/session-store.ts";

const WAY_BACK = /^#way_back=([\w-]{43})$/;

/** Takes a mail's way back out of the address, so that it stays in no history and no other page sees it. */
export function takeWayBack(): void {
  const token = WAY_BACK.exec(window.location.hash)?.[1];
  if (!token) return;
  window.history.replaceState(window.history.state, "", window.location.pathname);
  changeSession({ wayBack: token });
}
