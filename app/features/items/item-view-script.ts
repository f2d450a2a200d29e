import { KEPT } from "#app/features/browser-storage/kept-keys.ts";

/** Runs in the head before anything is painted, so that the page is drawn once, and in the view that was chosen. */
export const ITEM_VIEW_SCRIPT = `try{var v=localStorage.getItem("${KEPT.itemView.key}");if(v==="list"||v==="cards")document.documentElement.dataset.items=v}catch(e){}`;
