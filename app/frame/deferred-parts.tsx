import { type ComponentType, lazy, type ReactNode, Suspense, useEffect } from "react";
import { useLocation, useNavigation } from "react-router";
import { OfflineNotice } from "./offline/offline-notice.tsx";

const ITEM_PATH = /^\/fruits\/[^/]+$/;

/** Loaded with the first item that is opened. Without it, the item still comes. */
const LoadingItem = lazy(() =>
  import("./loading-item.tsx").then(
    (module): { default: ComponentType } => ({ default: module.LoadingItem }),
    () => ({ default: () => null }),
  ),
);

/** Offline copies and their notice, the loading state of an item, and keyboard focus on the next page. */
export function DeferredParts(): ReactNode {
  useFocusOnNewPage();
  const isItemNext = ITEM_PATH.test(useNavigation().location?.pathname ?? "");
  return (
    <>
      {isItemNext && (
        <Suspense>
          <LoadingItem />
        </Suspense>
      )}
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
