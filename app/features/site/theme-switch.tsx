import { type ReactNode, useSyncExternalStore } from "react";
import { chooseTheme, currentTheme, subscribeToTheme, THEMES, type Theme } from "./theme.ts";

const FACES: Record<Theme, { label: string; icon: ReactNode }> = {
  system: { label: "System", icon: <path d="M2.500 3.500h13v9h-13zM6.500 15.500h5M9 12.500v3" /> },
  light: {
    label: "Light",
    icon: (
      <>
        <circle cx="9" cy="9" r="3.250" />
        <path d="M9 1v2M9 15v2M1 9h2M15 9h2M3.300 3.300l1.400 1.400M13.300 13.300l1.400 1.400M3.300 14.700l1.400-1.400M13.300 4.700l1.400-1.400" />
      </>
    ),
  },
  dark: {
    label: "Dark",
    icon: <path d="M15.500 10.800A6.800 6.800 0 0 1 7.200 2.500a6.800 6.800 0 1 0 8.300 8.300z" />,
  },
};

/** Harbour by day, by night, or as the device has it. Hidden without JavaScript, when only the device can decide. */
export function ThemeSwitch() {
  const chosen = useSyncExternalStore<Theme>(subscribeToTheme, currentTheme, () => "system");
  return (
    <fieldset data-slot="theme-switch" className="theme-switch">
      <legend className="sr-only">Theme</legend>
      {THEMES.map((theme) => (
        <label key={theme} title={FACES[theme].label}>
          <input
            type="radio"
            name="theme"
            value={theme}
            checked={theme === chosen}
            onChange={() => chooseTheme(theme)}
            className="sr-only"
          />
          <span className="sr-only">{FACES[theme].label}</span>
          <svg
            aria-hidden="true"
            width="18"
            height="18"
            viewBox="0 0 18 18"
            fill="none"
            stroke="currentColor"
            strokeWidth="1.75"
            strokeLinecap="round"
            strokeLinejoin="round"
          >
            {FACES[theme].icon}
          </svg>
        </label>
      ))}
    </fieldset>
  );
}
