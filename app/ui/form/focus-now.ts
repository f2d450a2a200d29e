/** A ref for what takes a form's place, and with it its focus; without it, screen readers would hear nothing of it. */
export const focusNow = (element: HTMLElement | null) => element?.focus();
