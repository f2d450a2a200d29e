type Named = readonly [mark: RegExp, name: string];

/** Order matters: many browsers include the names of others. */
const BROWSERS: readonly Named[] = [
  [/\bEdg(?:e|A|iOS)?\//, "Edge"],
  [/\bOPR\/|\bOpera\b/, "Opera"],
  [/\bSamsungBrowser\//, "Samsung Internet"],
  [/\bVivaldi\//, "Vivaldi"],
  [/\bDuckDuckGo\//, "DuckDuckGo"],
  [/\bFirefox\/|\bFxiOS\//, "Firefox"],
  [/\bChrom(?:e|ium)\/|\bCriOS\/|\bHeadlessChrome\//, "Chrome"],
  [/\bSafari\//, "Safari"],
];

const SYSTEMS: readonly Named[] = [
  [/\biPhone\b/, "iPhone"],
  [/\biPad\b/, "iPad"],
  [/\bAndroid\b/, "Android"],
  [/\bCrOS\b/, "a Chromebook"],
  [/\bWindows\b/, "Windows"],
  [/\bMacintosh\b|\bMac OS X\b/, "a Mac"],
  [/\bXbox\b/, "Xbox"],
  [/\bPlayStation\b/, "PlayStation"],
  [/\bLinux\b|\bX11\b/, "Linux"],
];

const nameIn = (names: readonly Named[], agent: string) => names.find(([mark]) => mark.test(agent))?.[1];

/** A user-friendly name for a device, from its user agent: `Chrome on Android`. */
export function nameDevice(userAgent: string | null): string {
  const agent = userAgent ?? "";
  const [browser, system] = [nameIn(BROWSERS, agent), nameIn(SYSTEMS, agent)];
  if (browser && system) return `${browser} on ${system}`;
  if (browser || system) return browser ?? `A browser on ${system}`;
  return "An app or another program";
}
