import { createWorkQueue, type WorkQueue } from "#backend/memory/work-queue.ts";

/** Too many pages wait to be rendered: this client's (429), or everybody's (503). */
export class TooBusyError extends Error {
  readonly status: 429 | 503;
  constructor(status: 429 | 503) {
    super("Too many pages wait to be rendered");
    this.status = status;
  }
}

/** Begins a render when it is the client's turn. @throws TooBusyError */
export type Admit = WorkQueue["run"];

/** One reads from the database while another one renders; more at a time would only keep the thread from kept pages. */
const AT_ONCE = 2;
/** A backend on another host answers later, and most renders wait for it. */
const AT_ONCE_FROM_AFAR = 16;
/** Most pages of the site, when everybody behind one proxy wants them at once after a change. */
const WAITING = 128;
const WAITING_IN_ALL = 512;

/** Rendering shares its thread with the kept pages, so a few are rendered at a time, for clients in turns. */
export function createRenderQueue({ isFar }: { isFar: boolean }): Admit {
  return createWorkQueue({
    workers: isFar ? AT_ONCE_FROM_AFAR : AT_ONCE,
    waiting: WAITING,
    waitingInAll: WAITING_IN_ALL,
    refusal: (whose) => new TooBusyError(whose === "client" ? 429 : 503),
  }).run;
}
