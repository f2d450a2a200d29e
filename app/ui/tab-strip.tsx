import { type KeyboardEvent, type MouseEvent, type ReactNode, useEffect, useRef } from "react";
import { classNames } from "./class-names.ts";

/** A tab; with `path`, the address that shows the same, it is a link and works without scripts. */
type Tab<T extends string> = { value: T; label: string; icon?: ReactNode; path?: string };

export type TabStripProps<T extends string> = {
  label: string;
  tabs: readonly Tab<T>[];
  value: T;
  onSelect: (value: T) => void;
  /** The id of the `role="tabpanel"` element that the tabs control. */
  panelId: string;
  className?: string;
};

const STEPS: Record<string, (index: number, last: number) => number> = {
  ArrowRight: (index, last) => (index === last ? 0 : index + 1),
  ArrowLeft: (index, last) => (index === 0 ? last : index - 1),
  Home: () => 0,
  End: (_, last) => last,
};

/**
 * A row of tabs that scrolls sideways if it does not fit. One stop for the Tab key; arrows, Home and End move and
 * select (WAI-ARIA tabs pattern).
 */
export function TabStrip<T extends string>({
  label,
  tabs,
  value,
  onSelect,
  panelId,
  className,
}: TabStripProps<T>) {
  const strip = useRef<HTMLDivElement>(null);
  const shown = useRef(tabs[0]?.value);

  // Scrolls the selected tab into view, also if the address selected it.
  useEffect(() => {
    const row = strip.current;
    const tab = row?.querySelector("[aria-selected=true]");
    if (!row || !tab || shown.current === value) return;
    shown.current = value;
    const [outer, inner] = [row.getBoundingClientRect(), tab.getBoundingClientRect()];
    row.scrollLeft += inner.left + inner.width / 2 - outer.left - outer.width / 2;
  }, [value]);

  function move(event: KeyboardEvent) {
    const step = STEPS[event.key];
    if (!step) return;
    event.preventDefault();
    const selected = tabs.findIndex((tab) => tab.value === value);
    const next = step(selected, tabs.length - 1);
    onSelect((tabs[next] as Tab<T>).value);
    (strip.current?.children[next] as HTMLElement | undefined)?.focus();
  }

  return (
    <div
      ref={strip}
      data-slot="tab-strip"
      role="tablist"
      aria-label={label}
      tabIndex={-1}
      className={classNames("tabs", className)}
      onKeyDown={move}
    >
      {tabs.map((tab) => {
        const props = {
          role: "tab",
          "aria-selected": tab.value === value,
          "aria-controls": panelId,
          tabIndex: tab.value === value ? 0 : -1,
          className: "tab",
          children: (
            <>
              {tab.icon && <span aria-hidden="true">{tab.icon}</span>}
              {tab.label}
            </>
          ),
        };
        function select(event: MouseEvent) {
          event.preventDefault();
          onSelect(tab.value);
        }
        return tab.path ? (
          <a key={tab.value} href={tab.path} onClick={select} {...props} />
        ) : (
          <button key={tab.value} type="button" onClick={select} {...props} />
        );
      })}
    </div>
  );
}
