import { type RefObject, useEffect, useRef, useState } from "react";
import { useLocation } from "react-router";
import { formatListQuery, type ListChoice, parseListQuery } from "./list-query.ts";

/** How long typing must pause before the address is updated: browsers limit updates to some hundred per minute. */
const PAUSE = 300;

/**
 * The visitor's choice, kept in the address. The address is changed without the router, since no read depends on it: a
 * navigation would re-render the page and scroll. Choices made in the form before hydration count.
 */
export function useListChoice(
  form: RefObject<HTMLFormElement | null>,
): [ListChoice, (change: Partial<ListChoice>) => void] {
  const location = useLocation();
  const [choice, setChoice] = useState(() => parseListQuery(location.search));
  const visit = useRef(location.key);

  useEffect(() => {
    if (!form.current) return;
    const fields = [...new FormData(form.current)].map(([name, value]) => [name, String(value)]);
    const { mode: _, ...chosen } = parseListQuery(`?${new URLSearchParams(fields)}`);
    setChoice((before) => {
      const after = { ...before, ...chosen };
      return formatListQuery(after) === formatListQuery(before) ? before : after;
    });
  }, [form]);

  useEffect(() => {
    if (visit.current === location.key) return;
    visit.current = location.key;
    setChoice(parseListQuery(location.search));
  }, [location]);

  useEffect(() => {
    const timer = setTimeout(() => writeQuery(location.pathname, formatListQuery(choice)), PAUSE);
    return () => clearTimeout(timer);
  }, [choice, location.pathname]);

  return [choice, (change) => setChoice((before) => ({ ...before, ...change }))];
}

/**
 * Keeps the history state, which identifies the router's entry and its scroll position, and an address that says the
 * same with more, such as a page. For a moment a page is still mounted under the address of the next one.
 */
function writeQuery(path: string, query: string): void {
  if (window.location.pathname !== path) return;
  if (formatListQuery(parseListQuery(window.location.search)) === query) return;
  window.history.replaceState(window.history.state, "", path + query);
}
