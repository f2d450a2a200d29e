/**
 * Runs in the document, by its source. Browsers translate a page by putting an element in the place of each of its
 * texts. React would fail to remove or pass a text that is gone, and change one that nobody sees, such as a total. So
 * the text comes back, empty, before the element that stands for it; once React changes, moves or removes it, so does
 * that element.
 */
function keepTexts() {
  const kept = new WeakMap<Node, { text: string; standIn: Element }>();
  const originals = new WeakMap<Node, Text>();

  function forget(text: Text, before: string) {
    kept.delete(text);
    text.data ||= before;
  }

  function keep(text: Text, near: (Node | null | undefined)[]) {
    const standIn = near.find((node) => node?.nodeName === "FONT" && !originals.has(node)) as Element;
    if (!(standIn?.isConnected && text.data)) return;
    kept.set(text, { text: text.data, standIn });
    originals.set(standIn, text);
    text.data = "";
    standIn.before(text);
  }

  function followRemoved(node: Node, near: (Node | null | undefined)[]) {
    // An element that a translator took away again, to show the original.
    const text = originals.get(node) ?? node;
    if (!(text instanceof Text)) return;
    const known = kept.get(text);
    if (known && text.isConnected && known.standIn.isConnected) text.after(known.standIn);
    else if (known) {
      known.standIn.remove();
      forget(text, known.text);
    }
    if (!text.isConnected) keep(text, near);
  }

  const follow = new MutationObserver((records) => {
    for (const { target, type, addedNodes, removedNodes, previousSibling, nextSibling } of records) {
      const near = [addedNodes[0], previousSibling, nextSibling];
      for (const node of removedNodes) followRemoved(node, near);
      const changed = type === "characterData" && kept.get(target);
      if (!changed) continue;
      kept.delete(target);
      changed.standIn.remove();
    }
  });
  const start = () => follow.observe(document.body, { subtree: true, childList: true, characterData: true });
  // No translator is earlier, and the parser need not tell of each node.
  document.addEventListener("DOMContentLoaded", start);
}

/** Only the server has the source; the code is in no file that browsers load. */
export const KEEP_TEXTS_SCRIPT = import.meta.env.SSR ? `(${keepTexts})()` : "";
