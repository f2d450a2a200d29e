import { createWorkQueue, type WorkQueue } from "#backend/memory/work-queue.ts";

/** Too many pages are waiting to be rendered: this client's (429), or all clients' (503). */
export class TooBusyError extends Error {
  readonly status: 429 | 503;
  constructor(status: 429 | 503) {
    super("Too many pages wait to be rendered");
    this.status = status;
  }
}

/** Starts a render when it is the client's turn. @throws TooBusyError */
export type Admit = WorkQueue["run"];

/** One page reads from the database while another renders; more would only delay cached pages on the same thread. */
const AT_ONCE = 2;
/** A backend on another host is slower to answer, so most renders are waiting for it. */
const AT_ONCE_FROM_AFAR = 16;
/** Most pages of the site, in case all visitors behind one proxy want them at once after a change. */
const WAITING = 128;
const WAITING_IN_ALL = 512;

/** Rendering shares its thread with serving cached pages, so only a few run at once, taking turns between clients. */
export function createRenderQueue({ isFar }: { isFar: boolean }): Admit {
  return createWorkQueue({
    workers: isFar ? AT_ONCE_FROM_AFAR : AT_ONCE,
    waiting: WAITING,
    waitingInAll: WAITING_IN_ALL,
    refusal: (whose) => new TooBusyError(whose === "client" ? 429 : 503),
  }).run;
}
