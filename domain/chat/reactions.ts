/** The reactions to a message, with their names for screen readers. */
export const REACTIONS = [
  ["👍", "Thumbs up"],
  ["❤️", "Heart"],
  ["😂", "Laughing"],
  ["😮", "Surprised"],
  ["🔥", "Fire"],
  ["🤝", "Handshake"],
  ["🎉", "Party"],
  ["👀", "Eyes"],
] as const;
