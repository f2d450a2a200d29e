import { useEffect, useId, useRef, useState } from "react";
import { classNames } from "#app/ui/class-names.ts";
import type { TextFieldProps } from "#app/ui/form/text-field.tsx";
import { LineIcon } from "#app/ui/line-icon.tsx";
import { checkPassword } from "#domain/people/password-rule.ts";
import { PasswordField } from "./password-field.tsx";

/** The hint of the sign-up form (2.auth.06). */
const HINT = "At least 12 characters with uppercase, lowercase, number and symbol.";

/**
 * A field for a new password. The hint states the rule; from the first character on, a checklist of its parts replaces
 * it. The list is part of the field's description and no live region, so that screen readers read it on request instead
 * of on every key.
 */
export function NewPasswordField(props: Partial<Pick<TextFieldProps, "label" | "autoFocus">>) {
  const [typed, setTyped] = useState("");
  const frame = useRef<HTMLDivElement>(null);
  const listId = useId();
  useEffect(() => {
    const field = frame.current?.querySelector("input");
    // Catches text typed before hydration, and a form reset after saving.
    const follow = () => setTyped(field?.value ?? "");
    const followReset = () => setTyped("");
    follow();
    field?.form?.addEventListener("reset", followReset);
    return () => field?.form?.removeEventListener("reset", followReset);
  }, []);
  const isTyping = typed !== "";
  return (
    <div ref={frame} className="grid gap-2">
      <PasswordField
        autoComplete="new-password"
        onChange={(event) => setTyped(event.target.value)}
        {...(isTyping ? { describedBy: listId } : { hint: HINT })}
        {...props}
      />
      {isTyping && <Checklist id={listId} password={typed} />}
    </div>
  );
}

function Checklist({ id, password }: { id: string; password: string }) {
  return (
    <ul
      id={id}
      aria-label="What the password needs"
      className="grid gap-x-4 gap-y-0.5 text-sm sm:grid-cols-2"
    >
      {checkPassword(password).map(({ label, isMet }) => (
        <li key={label} className={classNames("flex items-center gap-2", isMet ? "text-rise" : "text-muted")}>
          <LineIcon path={isMet ? "M3 9.500 7 13.500 15 4.500" : "M9 9h.01"} width={isMet ? 2.5 : 5} />
          {label}
          <span className="sr-only">{isMet ? ": done." : ": still missing."}</span>
        </li>
      ))}
    </ul>
  );
}
