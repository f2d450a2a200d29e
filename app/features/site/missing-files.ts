/**
 * Runs in the head, before anything is loaded. A page whose files are gone, since the site was upgraded under it, is loaded
 * anew by itself: once, and never where somebody has typed something, nor where the site cannot be reached.
 */
export const MISSING_FILES_SCRIPT = `(()=>{let typed=0,asked=0;const again=()=>{if(typed||asked||(performance.now()<6e4&&performance.getEntriesByType("navigation")[0]?.type==="reload"))return;asked=1;fetch("/livez",{cache:"no-store"}).then(r=>{if(r.ok&&!typed)location.reload();else asked=0},()=>{asked=0})};addEventListener("input",()=>{typed=1},true);addEventListener("vite:preloadError",again);addEventListener("error",({target:t})=>{if(t instanceof HTMLElement&&(t.type==="module"&&!t.src||(t.src||t.href||"").startsWith(location.origin+"/assets/")))again()},true)})()`;
