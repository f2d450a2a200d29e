import { choose, type DrawnItem } from "./drawn-item.ts";

/** An emblem centered at 0,0 that extends from -15 to 15: filled, or drawn as a line. */
export type Emblem = { path: string; line?: true };

const fill = (path: string): Emblem => ({ path });
const line = (path: string): Emblem => ({ path, line: true });

/** A star with that many points, the first one at the top. */
function star(points: number, outer: number, inner: number): string {
  const corners = Array.from({ length: points * 2 }, (_, index) => {
    const radius = index % 2 ? inner : outer;
    const angle = (Math.PI * index) / points - Math.PI / 2;
    return `${(Math.cos(angle) * radius).toFixed(1)} ${(Math.sin(angle) * radius).toFixed(1)}`;
  });
  return `M${corners.join("L")}z`;
}

const FEATHER = "M-12 14C-11-5-1-14 13-15 14 0 5 9-7 10l10-13-13 11z";
const PAW =
  "M0 0c6 0 11 6 9 11-2 4-6 1-9 1s-7 3-9-1C-11 6-6 0 0 0zM-12-5a3.500 4.500 0 1 1 0 .1zM-8-11a3.500 4.500 0 1 1 4 0zM4-11a3.500 4.500 0 1 1 4 0zM12-5a3.500 4.500 0 1 1 .1 0z";
const SCROLL = "M-11-13H9c4 0 5 5 2 6H7V8c5-1 6 6 1 6h-17c-4 0-5-5-2-6V-7c-4 0-4-6 0-6zM-6-7h8M-6-2h8M-6 3h8";

/** The first of these words in a name determines its emblem. Order matters. */
const EMBLEMS: readonly (readonly [word: string, emblem: Emblem])[] = [
  ["doghouse", fill("M0-15 15-2h-4v15H4V5a4 4 0 0 0-8 0v8h-7V-2h-4z")],
  ["werewolf", fill("M-13-15-6-8H6l7-7c3 14 0 22-6 25L0 15l-7-5c-6-3-9-11-6-25zM-8-1l5 3-5 2zM8-1 3 2l5 2z")],
  ["dog", fill(PAW)],
  ["dragon", fill("M-15 12C-13-6-3-15 15-15 11-10 9-6 10-2 6-3 3-1 3 3-1 2-4 4-4 8c-4-2-8 0-11 4z")],
  ["kitsune", fill("M-15-14l9 6H6l9-6c2 13-3 23-15 28-12-5-17-15-15-28zM-9 0l7 4-6 1zM9 0 2 4l6 1z")],
  ["control", line("M-13-4v-9h9M4-13h9v9M13 4v9H4M-4 13h-9V4M0-4a4 4 0 1 0 .1 0")],
  ["yeti", fill("M-15 12-5-12 1-1l4-6 10 19z")],
  [
    "gas",
    fill("M-5-4a7 7 0 1 1 .1 0zM8 1a5.500 5.500 0 1 1 .1 0zM-1 14a6 6 0 1 1 .1 0zM-12 10a3 3 0 1 1 .1 0z"),
  ],
  ["tiger", line("M-9-13c5 8 5 18-2 26M1-14c5 9 5 19-2 28M11-13c5 8 5 18-2 26")],
  ["lightning", fill("M4-16-11 3h8l-4 13L12-4H3l5-12z")],
  [
    "venom",
    fill(
      "M-2-15c5 7 9 11 9 17a9 9 0 0 1-18 0c0-6 4-10 9-17zM11 2c2 4 4 6 4 8.500a4 4 0 0 1-8 0C7 8 9 6 11 2z",
    ),
  ],
  [
    "dough",
    fill(
      "M0-14a14 14 0 1 1-.1 0zM0-4.500a4.500 4.500 0 1 0 .1 0zM-8-8l3 2M8-7 6-4M-9 3l3-1M8 5 5 4M-3 10l1-3",
    ),
  ],
  ["pain", fill(star(8, 16, 6.5))],
  [
    "t-rex",
    fill("M-15-3C-8-15 8-15 15-5l-4 5-4-4-3 5-4-5-3 5-4-5-4 6c2 4 7 3 9 0l4 4 4-4 5 2C6 13-10 14-15-3z"),
  ],
  ["gravity", line("M0-7a7 7 0 1 0 .1 0M-7 3c-7 4-10 7-7 8C-8 13 14 1 15-7c0-3-4-2-9 1")],
  ["mammoth", fill("M-11-13c-7 13 0 24 11 26-5-7-7-15-4-23zM11-13c7 13 0 24-11 26 5-7 7-15 4-23z")],
  ["super spirit", fill(star(8, 16, 6.5))],
  [
    "spirit",
    fill(
      "M0-15a15 15 0 0 1 0 30 7.500 7.500 0 0 1 0-15 7.500 7.500 0 0 0 0-15zM-3-11a12 12 0 0 0-3 22c-8-6-4-9-2-11s5-7 5-11z",
    ),
  ],
  ["shadow", fill("M-16 0Q0-15 16 0 0 15-16 0zM0-6a6 6 0 1 0 .1 0zM0-2.500a2.500 2.500 0 1 1-.1 0z")],
  [
    "portal",
    line("M2 0a2.500 2.500 0 0 1-5 0 6 6 0 0 1 12 0A9.500 9.500 0 0 1-10 0C-10-16 14-17 15 0c0 9-6 14-13 15"),
  ],
  [
    "buddha",
    fill(
      "M0-15c5 6 6 13 3 21h-6c-3-8-2-15 3-21zM-15-6c7 0 10 4 10 12-7 0-11-4-10-12zM15-6C8-6 5-2 5 6c7 0 11-4 10-12zM-14 9H14q-14 9-28 0z",
    ),
  ],
  ["blizzard", line("M-14-6H4a5 5 0 1 0-5-5M-14 1H9a5 5 0 1 1-4 8M-12 8h8a4 4 0 1 1-3 6")],
  ["creation", line("M0 14V0M0 5C-9 5-13 1-13-8-4-8 0-4 0 5zM0 0c0-9 4-13 13-13C13-4 9 0 0 0z")],
  ["phoenix", fill("M0 14C-3 6-11 3-15-9c6 3 9 2 12 0l3-6 3 6c3 2 6 3 12 0C11 3 3 6 0 14z")],
  ["sound", fill("M-5-11 11-15V7a5 4.500 0 1 1-3.500-4V-8L-1.500-6v17A5 4.500 0 1 1-5 7z")],
  ["spider", line("M0-15V15M-13-8 13 8M-13 8 13-8M0-9-8-5V5L0 9 8 5V-5z")],
  ["love", fill("M0 14C-21 0-15-15-6-13c4 1 6 4 6 7 0-3 2-6 6-7 9-2 15 13-6 27z")],
  ["magma", fill("M-15 12-6-5H6l9 17zM-2-7c-4-4 3-5 0-9 6 2 8 5 4 9z")],
  ["quake", line("M-15 1h6l3-10L0 11l4-13 2 3h9")],
  ["diamond", line("M-8-12H8l7 9L0 14-15-3zM-15-3h30M-5-3 0 14 5-3 0-12z")],
  ["light", fill(star(8, 16, 7.5))],
  [
    "ghost",
    fill(
      "M-11 14V-3a11 11 0 0 1 22 0v17l-4-4-3.500 4L0 10l-3.500 4L-7 10zM-4-6a2 3 0 1 0 .1 0zM4-6a2 3 0 1 0 .1 0z",
    ),
  ],
  ["eagle", fill(FEATHER)],
  ["rubber", line("M0-13a13 13 0 1 0 .1 0M0-7a7 7 0 1 0 .1 0M0-1.500a1.500 1.500 0 1 0 .1 0")],
  [
    "ice",
    line(
      "M0-14v28M-12-7 12 7M-12 7 12-7M-4-13l4 4 4-4M-4 13l4-4 4 4M-13-2l6-2-2-6M13 2 7 4l2 6M-13 2l6 2-2 6M13-2 7-4l2-6",
    ),
  ],
  ["sand", fill("M-10-14h20v3C10-5 4-3 2 0c2 3 8 5 8 11v3h-20v-3c0-6 6-8 8-11-2-3-8-5-8-11z")],
  ["dark blade", fill("M14-15 16-13-3 8l3 3-3 2-3-3-7 6-3-3 6-7-3-3 2-3 3 3z")],
  ["dark", fill("M5-14a14 14 0 1 0 10 19A12 12 0 0 1 5-14z")],
  ["flame", fill("M1-16c2 8 11 11 11 21a12 11 0 0 1-24 0c0-7 4-9 5-14 3 2 4 4 4 7 3-4 5-9 4-14z")],
  ["spike", fill(star(6, 16, 5))],
  ["smoke", line("M-13 9h17a6 6 0 1 0-5-9 6 6 0 1 0-11 4M2-6a5 5 0 1 1 9 3")],
  ["bomb", fill("M-3-7 3-9l2 3a11 11 0 1 1-8-1zM3-11c1-5 6-7 10-4l-2 2c-2-1-4 0-5 3z")],
  ["spring", line("M-9-13H9L-9-6H9L-9 1H9L-9 8H9L0 14")],
  ["blade", fill("M15-16l1 2L-2 7l4 4-3 2-4-3-7 6-3-3 6-7-3-4 2-3 4 4z")],
  ["spin", line("M-14-12h28M-10-5H11M-7 2H7M-3 9h7M-1 15h1")],
  [
    "rocket",
    fill(
      "M0-16c7 6 8 13 6 20h-12c-2-7-1-14 6-20zM-7-1l-5 10 6-2zM7-1l5 10-6-2zM-4 7h8L0 16zM0-7a2.500 2.500 0 1 0 .1 0z",
    ),
  ],
  ["parrot", fill(FEATHER)],
  ["eclipse", fill("M0-11a11 11 0 1 1-.1 0zM-4-7a8 8 0 1 0 9 12A10 10 0 0 1-4-7z")],
  [
    "meme",
    fill(
      "M-14-10C-5-15 5-15 14-10c2 12-4 24-14 25-10-1-16-13-14-25zM-9-4c2-3 5-3 7 0zM9-4C7-7 4-7 2-4zM-8 3H8c-2 8-14 8-16 0z",
    ),
  ],
  [
    "notifier",
    fill(
      "M0-15c3 0 3 3 3 4 5 2 7 6 7 11 0 4 2 6 4 8h-28c2-2 4-4 4-8 0-5 2-9 7-11 0-1 0-4 3-4zM-4 10h8a4 4 0 0 1-8 0z",
    ),
  ],
  ["scrolls", fill(SCROLL)],
  ["storage", fill("M-14-7 0-15l14 8V8L0 16-14 8zM-10-4v8l7 4v-8zM10-4v8l-7 4v-8z")],
  ["mastery", fill("M-15-9l8 6L0-15 7-3l8-6-3 18h-24zM-12 11h24v4h-24z")],
  [
    "money",
    fill(
      "M0-15a15 15 0 1 1-.1 0zM3-10h-5c-6 0-6 8 0 8.500h3c3 .5 3 4 0 4h-7v4h4v3h4v-3c7-1 7-10 0-11h-4c-2 0-2-2 0-2h6v-4z",
    ),
  ],
  [
    "boss",
    fill(
      "M0-15c9 0 14 6 13 14 0 4-3 5-4 7v6h-18V6c-1-2-4-3-4-7-1-8 4-14 13-14zM-6-5a3.500 3.500 0 1 0 .1 0zM6-5a3.500 3.500 0 1 0 .1 0zM0 3l2 4h-4z",
    ),
  ],
  ["boats", fill("M1-15 13 2H1zM-2-10V2h-10zM-15 5h30L9 14H-9z")],
];

const OTHERS = [
  fill(star(5, 16, 7)),
  line("M0-14a14 14 0 0 1 0 28 9 9 0 0 1 0-18 5 5 0 0 1 0 10"),
  fill(star(4, 16, 5)),
];

/** An item's emblem: by a word in its name or its base fruit's, else one of three plain ones. */
export function emblemOf(item: Pick<DrawnItem, "name" | "slug" | "base">): Emblem {
  const names = [item.name, item.base?.name ?? ""].map((name) => name.toLowerCase());
  for (const name of names) {
    const found = EMBLEMS.find(([word]) => name.includes(word));
    if (found) return found[1];
  }
  return choose(OTHERS, item.slug, "emblem");
}
