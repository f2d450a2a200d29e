/**
 * How long after a tap the next one counts as its second, of an impatient finger, in milliseconds: it is meant for what
 * was there, not for what has taken its place.
 */
export const SECOND_TAP_MS = 500;
