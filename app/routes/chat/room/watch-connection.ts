import type { Client } from "#app/features/site/client.ts";

export type ConnectionEvents = {
  /** No answer came; deliveries are unreliable until `back`, or until the channel rejoins. */
  lost(): void;
  /** The same connection answers again, and nothing was lost. */
  back(): void;
};

export type ConnectionWatch = {
  /** The channel was joined. */
  start(): void;
  /** Something arrived, so the connection is alive. */
  heard(): void;
  /** The connection may be gone: lost, until something arrives. */
  lose(): void;
  /** There is no channel to watch. */
  stop(): void;
  end(): void;
};

// In milliseconds. A silently dropped connection is detected after QUIET + ANSWER, within three seconds.
const QUIET = 1500;
const ANSWER = 1400;
/** Extra time for a slow connection before it is reconnected. */
const LATE = 5000;

/** Pings a quiet connection while the page is visible; the client's own heartbeat runs only every 25 seconds. */
export function watchConnection({ realtime }: Client, events: ConnectionEvents): ConnectionWatch {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isWatched = false;
  let isAsked = false;
  let isLost = false;

  function wait(step: () => void, time: number) {
    clearTimeout(timer);
    timer = setTimeout(step, time);
  }

  function ask() {
    wait(ask, QUIET);
    if (document.visibilityState === "visible") void realtime.sendHeartbeat();
  }

  function lose() {
    events.lost();
    if (!isWatched) return;
    isLost = true;
    // A second heartbeat while an answer is pending makes the client reconnect.
    wait(ask, LATE);
  }

  function heard() {
    if (!isWatched) return;
    if (isLost) events.back();
    isLost = false;
    if (isAsked) wait(lose, ANSWER);
    else wait(ask, QUIET);
  }

  function stop() {
    clearTimeout(timer);
    isWatched = false;
    isAsked = false;
    isLost = false;
  }

  realtime.onHeartbeat((status) => {
    isAsked = status === "sent";
    if (isAsked && isWatched) wait(lose, ANSWER);
    if (status === "ok" || status === "error") heard();
  });

  return {
    start() {
      isWatched = true;
      isLost = false;
      heard();
    },
    heard,
    lose,
    stop,
    end() {
      stop();
      realtime.onHeartbeat(() => {});
    },
  };
}
