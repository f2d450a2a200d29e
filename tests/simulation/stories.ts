import { simulateChat } from "./simulate-chat.ts";
import { simulatePages } from "./simulate-pages.ts";
import { simulateSessions } from "./simulate-sessions.ts";

/** Each of them runs for each seed. */
export const STORIES = [simulateChat, simulateSessions, simulatePages] as const;
