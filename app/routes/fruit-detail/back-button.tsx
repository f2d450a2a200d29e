import type { FormEvent } from "react";
import { useNavigate } from "react-router";
import { Button } from "#app/ui/button.tsx";

/**
 * One step back in history; to /values when there is no earlier page of ours (decision 42). A form, so that without
 * scripts it leads there too.
 */
export function BackButton() {
  const navigate = useNavigate();
  const goBack = (event: FormEvent) => {
    event.preventDefault();
    // The router counts its own entries here; 0 is the page a visit began with.
    if (window.history.state?.idx > 0) navigate(-1);
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
