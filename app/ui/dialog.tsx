import { type ReactNode, type SyntheticEvent, useDeferredValue, useEffect, useId, useRef } from "react";
import { Button } from "./button.tsx";
import { classNames } from "./class-names.ts";
import { LineIcon } from "./line-icon.tsx";
import { holdNotices } from "./toast/toast-place.ts";

export type DialogProps = {
  open: boolean;
  /** Called when the reader closes it: Escape, the close button or a click beside it. */
  onClose: () => void;
  title: string;
  children: ReactNode;
  /**
   * `wide` for grids, `sheet` for grids that rise from the foot of a phone, where the thumb is. Each is at most 80 % of the
   * viewport high, a normal one all of a phone's, and scrolls inside.
   */
  size?: "normal" | "wide" | "sheet";
  /** It is out of sight, and about to be closed. */
  isLeaving?: boolean;
};

/**
 * A modal dialog on the browser's own `<dialog>`: it takes focus, keeps the page behind inert, closes on Escape and
 * gives focus back to what opened it. Children are mounted only while it is open; what closes it is answered before
 * they are taken away.
 */
export function Dialog({ open, onClose, title, children, size = "normal", isLeaving = false }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const around = useRef<HTMLElement[]>([]);
  const titleId = useId();
  const wasOpen = useDeferredValue(open);
  // React hands on to this dialog what happens to one within it.
  const closeItself = (event: SyntheticEvent) => event.target === event.currentTarget && onClose();

  useEffect(() => {
    const element = dialog.current;
    if (open && element && !element.open) {
      around.current = focusableAround(document.activeElement);
      element.showModal();
    }
    if (!open && element?.open) {
      element.close();
      // The browser gives focus back to what opened the dialog; where that is gone, to what was around it.
      if (document.activeElement === document.body) around.current.find((each) => each.isConnected)?.focus();
    }
    return open && element ? holdNotices(element) : undefined;
  }, [open]);

  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the click is the pointer's way of pressing Escape, which the browser handles
    <dialog
      ref={dialog}
      data-slot="dialog"
      aria-labelledby={titleId}
      className={classNames("dialog", `dialog-${size}`, isLeaving && "dialog-leaving")}
      onClose={closeItself}
      onClick={closeItself}
    >
      {(open || wasOpen) && (
        <>
          <div className="dialog-head">
            <h2 id={titleId} className="text-xl">
              {title}
            </h2>
            <Button variant="ghost" size="icon" aria-label="Close" onClick={onClose}>
              <LineIcon path="m3 3 12 12M15 3 3 15" width={2.25} />
            </Button>
          </div>
          <div className="dialog-body">{children}</div>
        </>
      )}
    </dialog>
  );
}

/** What an element is in that can have focus, innermost first. */
function focusableAround(element: Element | null): HTMLElement[] {
  const parent = element?.parentElement?.closest<HTMLElement>("[tabindex]");
  return parent ? [parent, ...focusableAround(parent)] : [];
}

/** A ref of what has the focus when the dialog opens; React would focus by itself, too early. */
export function focusOnOpen(element: HTMLElement | null): void {
  element?.setAttribute("autofocus", "");
}
