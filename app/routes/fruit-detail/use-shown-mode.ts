import { useState } from "react";
import { useLocation } from "react-router";
import { modeOfQuery, modeQuery, type ViewMode } from "#domain/values/view-mode.ts";

/**
 * The page's mode. It is in the address, so that a list's choice carries over and a shared link keeps it. The address
 * is changed without the router: the page has both modes, and nothing needs to be loaded.
 */
export function useShownMode(): [ViewMode, (mode: ViewMode) => void] {
  const [mode, setMode] = useState(modeOfQuery(useLocation().search));
  return [
    mode,
    (next) => {
      setMode(next);
      window.history.replaceState(window.history.state, "", window.location.pathname + modeQuery(next));
    },
  ];
}
