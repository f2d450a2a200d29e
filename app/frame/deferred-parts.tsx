import { type ReactNode, useEffect } from "react";
import { useLocation } from "react-router";
import { LoadingItem } from "./loading-item.tsx";
import { OfflineNotice } from "./offline/offline-notice.tsx";

/** Offline copies and their notice, the loading state of an item, and keyboard focus on the next page. */
export function DeferredParts(): ReactNode {
  useFocusOnNewPage();
  return (
    <>
      <LoadingItem />
      <OfflineNotice />
    </>
  );
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
