import { lazy, Suspense, useEffect, useRef } from "react";
import { useStore } from "#app/ui/store.ts";
import { dismissToast, readingTime, rememberPressed, type Toast, toastStore } from "./toast-store.ts";

let ToastViewport = loadViewport();

/** A failed load is retried with the next notice. */
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

/** Notices matter most offline, when their code may not load: then the plain text must do. */
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
 * Where notices appear; once, in the root. Both live regions exist from the first render, since screen readers announce
 * only changes in regions they know. The notice's code is loaded with the first one. While a modal dialog is open, the
 * host is moved into it (toast-place.ts) without React's knowledge.
 */
export function ToastHost() {
  const toast = useStore(toastStore);
  const notice = toast && <ToastViewport key={toast.id} toast={toast} />;
  const host = useRef<HTMLDivElement>(null);
  useEffect(() => rememberPressed(host.current), []);
  useEffect(() => {
    if (toast?.id === undefined) return;
    // Above an open dialog, which covers everything outside the top layer.
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
