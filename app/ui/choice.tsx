import type { ComponentProps } from "react";

/** A native radio or checkbox with its words beside it: `<Choice type="radio" name="code" value="spam">Spam</Choice>`. */
export function Choice({ children, ...input }: ComponentProps<"input">) {
  return (
    <label className="flex min-h-11 cursor-pointer items-center gap-3">
      <input className="size-5 shrink-0 accent-accent-text" {...input} />
      <span className="wrap-anywhere">{children}</span>
    </label>
  );
}
