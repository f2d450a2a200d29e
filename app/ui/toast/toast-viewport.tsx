import { useEffect, useRef, useState } from "react";
import { Button } from "#app/ui/button.tsx";
import { useMoveOffPressed } from "./clear-of-pressed.ts";
import { dismissToast, readingTime, type Toast } from "./toast-store.ts";

const MARKS = {
  success: "M4 11.5 8.500 16 18 6",
  destructive: "M11 5v7.500M11 16.500v.5",
};

/**
 * A notice. It stays while focused or while a mouse was moved onto it, and goes by itself after its reading time.
 * Touches, and a mouse that merely rested where it appeared, do not count as reading.
 */
export function ToastViewport({ toast }: { toast: Toast }) {
  const [held, setHeld] = useState(false);
  const notice = useRef<HTMLDivElement>(null);
  useMoveOffPressed(notice);

  useEffect(() => {
    if (held) return;
    const timer = setTimeout(() => dismissToast(toast.id), readingTime(toast));
    return () => clearTimeout(timer);
  }, [held, toast]);

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: pointing at it only makes it wait
    <div
      ref={notice}
      data-slot="toast"
      data-variant={toast.variant}
      className={`toast ${toast.variant === "destructive" ? "toast-destructive" : ""}`}
      onPointerMove={({ pointerType }) => setHeld(pointerType === "mouse")}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
      onKeyDown={(event) => {
        if (event.key !== "Escape") return;
        // The browser would close a surrounding dialog, too.
        event.preventDefault();
        dismissToast(toast.id);
      }}
    >
      <svg
        aria-hidden="true"
        width="22"
        height="22"
        viewBox="0 0 22 22"
        fill="none"
        stroke="currentColor"
        strokeWidth="2.5"
      >
        <circle cx="11" cy="11" r="9.500" strokeOpacity={toast.variant === "destructive" ? 1 : 0.35} />
        <path d={MARKS[toast.variant]} strokeLinecap="round" strokeLinejoin="round" />
      </svg>
      <div className="flex-1">
        <p className="font-bold">{toast.title}</p>
        {toast.description && <p className="text-muted">{toast.description}</p>}
      </div>
      <Button variant="ghost" size="sm" onClick={() => dismissToast(toast.id)}>
        Dismiss
      </Button>
    </div>
  );
}
