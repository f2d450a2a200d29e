import { type FormEvent, type KeyboardEvent, useId, useRef, useState } from "react";
import { Button } from "#app/ui/button.tsx";
import { classNames } from "#app/ui/class-names.ts";
import { findMessageFault } from "#domain/chat/chat-message.ts";
import { LIMITS, lengthOf } from "#domain/text/limits.ts";

type ComposerProps = {
  draft: string;
  onChange(draft: string): void;
  /** Gets the message trimmed, and within its limits. */
  onSend(message: string): void;
};

/** Where one writes (2.chat.05, 5.chat): Enter sends, Shift and Enter begin a new line. */
export function Composer({ draft, onChange, onSend }: ComposerProps) {
  const id = useId();
  const field = useRef<HTMLTextAreaElement>(null);
  const [fault, setFault] = useState<string | null>(null);
  const length = lengthOf(draft);

  function submit(event?: FormEvent) {
    event?.preventDefault();
    const found = findMessageFault(draft);
    setFault(found);
    field.current?.focus();
    if (found) return;
    onSend(draft.trim());
    onChange("");
  }

  function press(event: KeyboardEvent) {
    // Enter that chooses a word of an input method is not meant for us.
    if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    submit();
  }

  return (
    <form className="chat-composer" onSubmit={submit} noValidate>
      <label htmlFor={id} className="sr-only">
        Message
      </label>
      <textarea
        ref={field}
        id={id}
        name="message"
        className="control chat-field"
        rows={1}
        placeholder="Write a message…"
        autoComplete="off"
        enterKeyHint="send"
        aria-describedby={`${id}-note ${id}-count`}
        aria-invalid={fault ? true : undefined}
        value={draft}
        onChange={(event) => {
          onChange(event.target.value);
          setFault(null);
        }}
        onKeyDown={press}
      />
      <Button type="submit" variant="primary">
        Send
      </Button>
      <div className="field-foot chat-foot">
        <span
          id={`${id}-note`}
          className={fault ? "field-error" : "chat-hint"}
          role={fault ? "alert" : undefined}
        >
          {fault ?? "Enter sends, Shift + Enter starts a new line."}
        </span>
        <span
          id={`${id}-count`}
          className={classNames("figures shrink-0", length > LIMITS.chat.message.max && "field-error")}
        >
          {length}/{LIMITS.chat.message.max}
        </span>
      </div>
    </form>
  );
}
