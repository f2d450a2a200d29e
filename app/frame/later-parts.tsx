import { type ReactNode, useEffect } from "react";
import { useLocation } from "react-router";
import { OfflineNotice } from "./offline/offline-notice.tsx";

/** Keeping a copy of the page and telling when it is one, and going on by keyboard on the next page. */
export function LaterParts(): ReactNode {
  useFocusOnNewPage();
  return <OfflineNotice />;
}

/** Whoever came by keyboard goes on where the new page begins, not at the foot of the one before; unless it says otherwise. */
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
