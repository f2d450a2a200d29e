import { showError, showToast } from "#app/ui/toast/toast-store.ts";

/**
 * Hands on this page's address: by the phone's own sharing, else by the clipboard. `received` says what the link
 * brings, once it is copied.
 */
export async function sharePage(received: string): Promise<void> {
  const url = location.href;
  if (navigator.share && matchMedia("(pointer: coarse)").matches) {
    // Turning the phone's sheet away again is no failure.
    return navigator.share({ title: document.title, url }).catch(() => undefined);
  }
  try {
    await navigator.clipboard.writeText(url);
    showToast({ title: "Link copied", description: received });
  } catch {
    showError("Your browser did not let us copy. Take the address from its address bar.");
  }
}
