import { type MouseEvent, useRef } from "react";
import { NavLink, useLocation } from "react-router";
import { EntryList } from "./navigation.tsx";
import { BAR_ENTRIES, SHEET_ENTRIES } from "./navigation-entries.ts";

const SHEET_ID = "you-sheet";
/**
 * The user's own pages, whose entries are in the sheet: in the bar, You is marked current for them. Home is in the
 * sheet too, but is not one of them.
 */
const OWN_PATHS = ["/history", "/account", "/admin", "/auth"];

/**
 * The navigation on phones, within the thumb's reach: four entries and You, which opens a sheet with the others. The
 * sheet is a native popover: it opens without scripts, closes on Escape or a tap outside, and returns focus.
 */
export function BottomBar() {
  const { pathname } = useLocation();
  return (
    <div data-hull="" data-sticking="" className="bottom-bar">
      <nav aria-label="Sections">
        <ul className="bottom-bar-entries">
          {BAR_ENTRIES.map(({ label, path, sign }) => (
            <li key={path}>
              <NavLink to={path} end className="bottom-bar-entry" prefetch="intent" viewTransition>
                <span className={`sign ${sign}`} />
                {label}
              </NavLink>
            </li>
          ))}
          <li>
            <button
              type="button"
              popoverTarget={SHEET_ID}
              className="bottom-bar-entry"
              aria-current={OWN_PATHS.includes(pathname) ? "true" : undefined}
            >
              <span className="sign sign-you" />
              You
            </button>
          </li>
        </ul>
      </nav>
      <YouSheet />
    </div>
  );
}

function YouSheet() {
  const sheet = useRef<HTMLElement>(null);
  const closeAfterChoice = (event: MouseEvent) => {
    if ((event.target as Element).closest("a, button")) sheet.current?.hidePopover();
  };
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the links and buttons inside take the keys; a press of theirs arrives as a click
    <nav
      ref={sheet}
      id={SHEET_ID}
      popover="auto"
      aria-label="You"
      className="you-sheet"
      onClick={closeAfterChoice}
    >
      <EntryList entries={SHEET_ENTRIES} hasSigns />
    </nav>
  );
}
