import { useContext } from "react";
import { UNSAFE_DataRouterContext as RouterContext, useActionData, useNavigation } from "react-router";

/**
 * Posts a form to this page's action as the browser would, without leaving the page. The router's own `useFetcher` and
 * `Form` weigh 2 KB, which every page would load for the sake of this one.
 */
export function usePost<Result>() {
  const router = useContext(RouterContext)?.router;
  const isBusy = useNavigation().state !== "idle";
  const answer = useActionData() as Result | undefined;

  function post(form: HTMLFormElement): void {
    const options = { replace: true, preventScrollReset: true } as const;
    const formData = new FormData(form);
    void router?.navigate(window.location.pathname, { ...options, formMethod: "post", formData });
  }

  return { answer, isBusy, post };
}
