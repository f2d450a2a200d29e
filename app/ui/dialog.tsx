import {
  type KeyboardEvent,
  type ReactNode,
  type SyntheticEvent,
  useDeferredValue,
  useEffect,
  useId,
  useRef,
} from "react";
import { Button } from "./button.tsx";
import { classNames } from "./class-names.ts";
import { LineIcon } from "./line-icon.tsx";
import { holdNotices } from "./toast/toast-place.ts";

export type DialogProps = {
  open: boolean;
  /** Called on Escape, on the close button and on a click outside. */
  onClose: () => void;
  title: string;
  children: ReactNode;
  /**
   * `wide` for grids, `sheet` for grids that rise from the bottom of a phone's screen, within the thumb's reach. These
   * are at most 80 % of the viewport high, a normal one the whole phone's; all scroll inside.
   */
  size?: "normal" | "wide" | "sheet";
  /** It is out of view and about to be closed. */
  isLeaving?: boolean;
};

/**
 * A modal dialog based on the native `<dialog>`: it takes focus, makes the page behind it inert, closes on Escape and on
 * Back, and returns focus to what opened it. Children are mounted only while it is open; they are unmounted after the
 * closing has rendered.
 */
export function Dialog({ open, onClose, title, children, size = "normal", isLeaving = false }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const around = useRef<HTMLElement[]>([]);
  const titleId = useId();
  const wasOpen = useDeferredValue(open);
  const pressed = useRef<EventTarget>(null);
  // React bubbles events of a nested dialog to this one.
  const closeItself = (event: SyntheticEvent) => event.target === event.currentTarget && onClose();

  useEffect(() => {
    const element = dialog.current;
    if (open && element && !element.open) {
      around.current = focusableAround(document.activeElement);
      element.showModal();
    }
    if (!open && element?.open) {
      element.close();
      // The browser returns focus to what opened the dialog; if that is gone, focus moves to what was around it.
      if (document.activeElement === document.body) around.current.find((each) => each.isConnected)?.focus();
    }
    return open && element ? holdNotices(element) : undefined;
  }, [open]);

  // Back changes the page behind it, unseen: a trade lost the item added last while the picker stayed.
  useEffect(() => {
    const leave = () => dialog.current?.close();
    addEventListener("popstate", leave);
    return () => removeEventListener("popstate", leave);
  }, []);

  return (
    <dialog
      ref={dialog}
      data-slot="dialog"
      aria-labelledby={titleId}
      className={classNames("dialog", `dialog-${size}`, isLeaving && "dialog-leaving")}
      onClose={closeItself}
      onKeyDown={ignoreHeldEnter}
      onPointerDown={(event) => {
        pressed.current = event.target;
      }}
      // Not if text was selected from inside the dialog to the outside.
      onClick={(event) => pressed.current === dialog.current && closeItself(event)}
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

/**
 * An Enter that is held would press again and again whatever has the focus by then, unread: in the dialog that it
 * opened, or in a list (use-focus-fallback.ts) what takes the place of a removed row. In a text, it makes lines.
 */
export function ignoreHeldEnter(event: KeyboardEvent): void {
  const isText = event.target instanceof HTMLTextAreaElement;
  if (event.repeat && event.key === "Enter" && !isText) event.preventDefault();
}

/** The focusable ancestors of an element, innermost first. */
function focusableAround(element: Element | null): HTMLElement[] {
  const parent = element?.parentElement?.closest<HTMLElement>("[tabindex]");
  return parent ? [parent, ...focusableAround(parent)] : [];
}

/** A ref for the element that takes focus when the dialog opens; React's `autoFocus` would focus it too early. */
export function focusOnOpen(element: HTMLElement | null): void {
  element?.setAttribute("autofocus", "");
}
