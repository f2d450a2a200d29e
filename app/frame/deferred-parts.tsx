import { type ReactNode, useEffect } from "react";
import { useLocation } from "react-router";
import { OfflineNotice } from "./offline/offline-notice.tsx";

/** Offline copies and their notice, and keyboard focus on the next page. */
export function DeferredParts(): ReactNode {
  useFocusOnNewPage();
  return <OfflineNotice />;
}

/** Keyboard users continue at the top of the new page, unless it moves focus itself. */
function useFocusOnNewPage(): void {
  const { pathname } = useLocation();
  useEffect(
    () => () => {
      const main = document.getElementById("main");
      if (location.pathname !== pathname && !main?.contains(document.activeElement))
        main?.focus({ preventScroll: true });
    },
    [pathname],
  );
}
