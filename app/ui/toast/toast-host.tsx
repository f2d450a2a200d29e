import { lazy, Suspense, useRef, useSyncExternalStore } from "react";
import { useClearOfPressed } from "./clear-of-pressed.ts";
import { currentToast, subscribeToToast, type Toast } from "./toast-store.ts";

const ToastViewport = lazy(async () => ({
  default: (await import("./toast-viewport.tsx").catch(() => ({ ToastViewport: PlainToast }))).ToastViewport,
}));

/** A notice is needed most when the network is gone, and its code with it: then its words must do. */
function PlainToast({ toast: { title, description } }: { toast: Toast }) {
  return (
    <p className="toast">
      {title} {description}
    </p>
  );
}

/**
 * Where notices appear; once, in the root. Both live regions stand from the first render on, since screen readers
 * announce only what changes inside a region that they know. The notice's own code is loaded with the first one.
 */
export function ToastHost() {
  const toast = useSyncExternalStore(subscribeToToast, currentToast, () => null);
  const notice = toast && <ToastViewport key={toast.id} toast={toast} />;
  const host = useRef<HTMLDivElement>(null);
  useClearOfPressed(host, toast?.id);
  const urgent = toast?.variant === "destructive";
  return (
    <div ref={host} data-slot="toast-host" className="toast-host">
      <Suspense>
        <div role="status">{!urgent && notice}</div>
        <div role="alert">{urgent && notice}</div>
      </Suspense>
    </div>
  );
}
