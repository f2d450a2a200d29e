const open: HTMLDialogElement[] = [];
let home: Element | null = null;
let host: HTMLElement | null = null;

/**
 * Shows notices inside a modal dialog until the returned function is called: outside of it they could be neither
 * pressed nor announced. The host moves there before any notice, so that its live regions are known by then.
 */
export function holdNotices(dialog: HTMLDialogElement): () => void {
  host ??= document.querySelector<HTMLElement>("[data-slot=toast-host]");
  home ??= host?.parentElement ?? null;
  open.push(dialog);
  move();
  return () => {
    open.splice(open.indexOf(dialog), 1);
    move();
  };
}

function move(): void {
  const place = open.at(-1) ?? home;
  if (!host || !place || host.parentElement === place) return;
  place.append(host);
  // Moving it took it out of the top layer.
  if (host.querySelector(".toast")) host.showPopover();
}
