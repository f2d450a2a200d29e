import type { Client } from "#app/features/site/client.ts";

export type LineEvents = {
  /** No answer came; nothing that is told can be counted on until `back`, or until the channel joins anew. */
  lost(): void;
  /** The same connection answers again, and has lost nothing. */
  back(): void;
};

export type LineWatch = {
  /** The channel was joined. */
  start(): void;
  /** Something arrived, so the line is there. */
  heard(): void;
  /** There is no channel to watch. */
  stop(): void;
  end(): void;
};

// In milliseconds. A line that dies without a word is lost QUIET + ANSWER later, within three seconds.
const QUIET = 1500;
const ANSWER = 1400;
/** A slow line gets so much longer before it is connected anew. */
const LATE = 5000;

/** Asks whether a quiet line is there while the page is seen; the client by itself does so every 25 seconds. */
export function watchLine({ realtime }: Client, events: LineEvents): LineWatch {
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
    isLost = true;
    events.lost();
    // To ask once more while an answer is due makes the client connect anew.
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
    stop,
    end() {
      stop();
      realtime.onHeartbeat(() => {});
    },
  };
}
