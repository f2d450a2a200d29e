import type { FormEvent } from "react";
import { useNavigate } from "react-router";
import { Button } from "#app/ui/button.tsx";

/**
 * Whether an earlier page of ours is one step back, also one that was left by a typed address. Where the browser cannot
 * tell, the router's count can for the pages since the last whole load; 0 is the page that began with.
 */
function hasEarlierPage(): boolean {
  const { navigation, history } = window as typeof window & { navigation?: { canGoBack: boolean } };
  return navigation?.canGoBack ?? history.state?.idx > 0;
}

/**
 * One step back in history; to /values when there is no earlier page of ours (P42). A form, so that without
 * scripts it leads there too.
 */
export function BackButton() {
  const navigate = useNavigate();
  const goBack = (event: FormEvent) => {
    event.preventDefault();
    if (hasEarlierPage()) navigate(-1);
    else navigate("/values");
  };
  return (
    <form action="/values" onSubmit={goBack}>
      <Button type="submit" variant="ghost" size="sm">
        <span aria-hidden="true">←</span> Back
      </Button>
    </form>
  );
}
