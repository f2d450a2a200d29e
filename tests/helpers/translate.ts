import type { Page } from "playwright-core";

/** Translates a page, and what it shows later, as Chrome does: each text is replaced by two nested `font` elements. */
export const translate = (page: Page) =>
  page.evaluate(() => {
    const originals = new Map<Element, Text>();
    const isLeft = (text: Text) =>
      !text.data.trim() || Boolean(text.parentElement?.closest("script, style, svg, font, [translate=no]"));

    function wrap(text: Text) {
      if (isLeft(text)) return;
      const [outer, inner] = [document.createElement("font"), document.createElement("font")];
      inner.textContent = `«${text.data}»`;
      outer.append(inner);
      originals.set(outer, text);
      text.replaceWith(outer);
    }

    function wrapAll(root: Node) {
      const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
      const found = root instanceof Text ? [root] : [];
      while (walker.nextNode()) found.push(walker.currentNode as Text);
      for (const text of found) wrap(text);
    }

    const follow = new MutationObserver((records) => {
      for (const { target, addedNodes } of records)
        for (const node of target instanceof Text ? [target] : addedNodes)
          if (node.isConnected) wrapAll(node);
    });
    wrapAll(document.body);
    follow.observe(document.body, { childList: true, subtree: true, characterData: true });
    addEventListener("show-original", () => {
      follow.disconnect();
      for (const [font, text] of originals) if (font.isConnected) font.replaceWith(text);
    });
  });

/** As "Show original" does: the texts that were replaced are put back. */
export const showOriginal = (page: Page) =>
  page.evaluate(() => void dispatchEvent(new Event("show-original")));
