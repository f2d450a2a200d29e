import { useEffect, useState } from "react";
import { secondsToWait } from "#app/features/session/retry-after.ts";
import type { SessionClient } from "#app/features/session/session-client.ts";
import { useSessionForm } from "#app/features/session/use-session-form.ts";
import { Button, type ButtonProps } from "#app/ui/button.tsx";
import { Form } from "#app/ui/form/form.tsx";
import { showToast } from "#app/ui/toast/toast-store.ts";

type Answer = { error: { message: string; code?: string | undefined; status?: number | undefined } | null };

type SendAgainProps = Pick<ButtonProps, "variant" | "size"> & {
  email: string;
  send(client: SessionClient): PromiseLike<Answer>;
};

/** Requests the last email once more. Too soon is no error: the button counts down. */
export function SendAgain({ email, send, ...look }: SendAgainProps) {
  const [left, wait] = useCountdown();
  const { form, button, isBusy } = useSessionForm({
    async send(client) {
      const { error } = await send(client);
      const seconds = error && secondsToWait(error);
      return { error: seconds ? null : error, seconds };
    },
    done({ seconds }) {
      if (seconds) wait(seconds);
      else showToast({ title: "Sent again", description: `Another email is on its way to ${email}.` });
    },
  });
  const isWaiting = left > 0;
  return (
    <Form {...form} className="grid gap-1">
      <Button
        {...look}
        {...button}
        type={isWaiting ? "button" : button.type}
        aria-disabled={isWaiting || isBusy}
      >
        {isWaiting ? `Send it again in ${inTime(left)}` : "Send it again"}
      </Button>
      {/* Announced once; the seconds in the button are visual only. */}
      <p role="status" className="text-center text-muted text-sm">
        {isWaiting && "An email went out a moment ago, so the next one has to wait."}
      </p>
    </Form>
  );
}

/** Formats a duration as `47 s` or `4 min`. */
function inTime(seconds: number): string {
  return seconds < 100 ? `${seconds} s` : `${Math.ceil(seconds / 60)} min`;
}

/** The seconds left, and a function that starts the countdown. */
function useCountdown(): [left: number, begin: (seconds: number) => void] {
  const [endsAt, setEndsAt] = useState(0);
  const [now, setNow] = useState(0);
  const left = Math.max(0, Math.ceil((endsAt - now) / 1_000));
  const isRunning = left > 0;

  useEffect(() => {
    if (!isRunning) return;
    const timer = setInterval(() => setNow(performance.now()), 250);
    return () => clearInterval(timer);
  }, [isRunning]);

  function begin(seconds: number) {
    setNow(performance.now());
    setEndsAt(performance.now() + seconds * 1_000);
  }
  return [left, begin];
}
