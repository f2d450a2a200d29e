import { showToast } from "#app/ui/toast/toast-store.ts";

/** Hands on this page's address, which holds the trade: by the phone's own sharing, else by the clipboard. */
export async function shareTrade() {
  const url = location.href;
  if (navigator.share && matchMedia("(pointer: coarse)").matches) {
    // Turning the phone's sheet away again is no failure.
    return navigator.share({ title: document.title, url }).catch(() => undefined);
  }
  try {
    await navigator.clipboard.writeText(url);
    showToast({ title: "Link copied", description: "Whoever opens it sees this trade." });
  } catch {
    showToast({
      title: "Error",
      description: "Your browser did not let us copy. Take the address from its address bar.",
      variant: "destructive",
    });
  }
}
