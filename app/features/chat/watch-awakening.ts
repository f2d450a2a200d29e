/** Calls when this tab may have slept through something: it is looked at again, or the network is back. */
export function watchAwakening(wake: () => void): () => void {
  const look = () => document.visibilityState === "visible" && wake();
  document.addEventListener("visibilitychange", look);
  window.addEventListener("online", wake);
  window.addEventListener("pageshow", look);
  return () => {
    document.removeEventListener("visibilitychange", look);
    window.removeEventListener("online", wake);
    window.removeEventListener("pageshow", look);
  };
}
