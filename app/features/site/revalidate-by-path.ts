import type { ShouldRevalidateFunctionArgs } from "react-router";

/** `shouldRevalidate` of pages whose data depends on the path alone: another query in the address loads nothing. */
export function revalidateByPath({
  currentUrl,
  nextUrl,
  defaultShouldRevalidate,
}: ShouldRevalidateFunctionArgs): boolean {
  const hasSameData = currentUrl.pathname === nextUrl.pathname && currentUrl.search !== nextUrl.search;
  return hasSameData ? false : defaultShouldRevalidate;
}
