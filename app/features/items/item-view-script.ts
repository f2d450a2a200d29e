import { KEPT } from "#app/features/browser-storage/kept-keys.ts";

/** Runs in the head before the first paint, so that the page is painted once, in the chosen view. */
export const ITEM_VIEW_SCRIPT = `try{var v=localStorage.getItem("${KEPT.itemView.key}");if(v==="list"||v==="cards")document.documentElement.dataset.items=v}catch(e){}`;
