import { lazy, Suspense, useEffect, useRef } from "react";
import { useStore } from "#app/ui/store.ts";
import { dismissToast, readingTime, rememberPressed, type Toast, toastStore } from "./toast-store.ts";

let ToastViewport = loadViewport();

/** What did not come is asked for again with the next notice. */
function loadViewport() {
  return lazy(async () => {
    try {
      return { default: (await import("./toast-viewport.tsx")).ToastViewport };
    } catch {
      ToastViewport = loadViewport();
      return { default: PlainToast };
    }
  });
}

/** A notice is needed most when the network is gone, and its code with it: then its words must do. */
function PlainToast({ toast }: { toast: Toast }) {
  const { title, description, variant } = toast;
  useEffect(() => {
    const timer = setTimeout(() => dismissToast(toast.id), readingTime(toast));
    return () => clearTimeout(timer);
  }, [toast]);
  return (
    <p className={`toast ${variant === "destructive" ? "toast-destructive" : ""}`}>
      {description ? `${title}: ${description}` : title}
    </p>
  );
}

/**
 * Where notices appear; once, in the root. Both live regions stand from the first render on, since screen readers
 * announce only what changes inside a region that they know. The notice's own code is loaded with the first one. While a
 * modal dialog is open, the host is in it (toast-place.ts), and alone in its place here, so that React misses nothing.
 */
export function ToastHost() {
  const toast = useStore(toastStore);
  const notice = toast && <ToastViewport key={toast.id} toast={toast} />;
  const host = useRef<HTMLDivElement>(null);
  useEffect(() => rememberPressed(host.current), []);
  useEffect(() => {
    if (toast?.id === undefined) return;
    // Above a dialog that is open, which lies over all that is not in the top layer.
    const element = host.current;
    element?.showPopover();
    return () => element?.hidePopover();
  }, [toast?.id]);
  const urgent = toast?.variant === "destructive";
  return (
    <div>
      <div ref={host} popover="manual" data-slot="toast-host" className="toast-host">
        <Suspense>
          <div role="status">{!urgent && notice}</div>
          <div role="alert">{urgent && notice}</div>
        </Suspense>
      </div>
    </div>
  );
}
