import { useId, useSyncExternalStore } from "react";
import { chooseTheme, currentTheme, subscribeToTheme, THEMES, type Theme } from "./theme.ts";

const LABELS: Record<Theme, string> = { system: "System", light: "Light", dark: "Dark" };

/** Switches between light, dark and the device's setting. Hidden without JavaScript, when only the device decides. */
export function ThemeSwitch() {
  // The account page has a second one besides the footer's: each needs its own group name.
  const name = useId();
  const chosen = useSyncExternalStore<Theme>(subscribeToTheme, currentTheme, () => "system");
  return (
    <fieldset data-slot="theme-switch" className="theme-switch">
      <legend className="sr-only">Theme</legend>
      {THEMES.map((theme) => (
        <label key={theme} title={LABELS[theme]}>
          <input
            type="radio"
            name={name}
            value={theme}
            checked={theme === chosen}
            onChange={() => chooseTheme(theme)}
            className="sr-only"
          />
          <span className="sr-only">{LABELS[theme]}</span>
          <span className={`sign sign-${theme}`} />
        </label>
      ))}
    </fieldset>
  );
}
