import { showError, showToast } from "#app/ui/toast/toast-store.ts";

/** Shares this page's address with the phone's share sheet, else copies it and says what the link `received`. */
export async function sharePage(received: string): Promise<void> {
  const url = location.href;
  if (navigator.share && matchMedia("(pointer: coarse)").matches) {
    // Dismissing the share sheet is not a failure.
    return navigator.share({ title: document.title, url }).catch(() => undefined);
  }
  try {
    await navigator.clipboard.writeText(url);
    showToast({ title: "Link copied", description: received });
  } catch {
    showError("Your browser did not let us copy. Take the address from its address bar.");
  }
}
