import {
  type FormEvent,
  type KeyboardEvent,
  type Ref,
  type RefObject,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
import { WordHelp } from "#app/features/known-words/word-help.tsx";
import type { Person } from "#app/routes/chat/room/people-queries.ts";
import { SECOND_TAP_MS } from "#app/routes/chat/second-tap.ts";
import { Button } from "#app/ui/button.tsx";
import { classNames } from "#app/ui/class-names.ts";
import { LineIcon } from "#app/ui/line-icon.tsx";
import { findMessageFault } from "#domain/chat/chat-message.ts";
import { LIMITS, lengthOf } from "#domain/text/limits.ts";
import { type MentionKeysProps, useMentionKeys } from "./use-mention-keys.ts";

type ComposerProps = MentionKeysProps & {
  /** The names of mentioned people, as the database will put them before the message. */
  names: string;
  /** Receives the message trimmed and within the length limit. */
  onSend(message: string): void;
  /** Whether quick talk is open above. */
  isQuick: boolean;
  quickButton: Ref<HTMLButtonElement>;
  onQuick(): void;
};

/** The message field (2.chat.05, 5.chat): Enter sends, Shift+Enter breaks the line, "@" suggests people here. */
export function Composer(props: ComposerProps) {
  const { draft, names, onChange, onSend } = props;
  const id = useId();
  const field = useRef<HTMLTextAreaElement>(null);
  const [fault, setFault] = useState<string | null>(null);
  const sentAt = useRef(Number.NEGATIVE_INFINITY);
  useKeptFocus(field);
  const mentions = useMentionKeys(props, field);

  function submit(event: FormEvent | KeyboardEvent) {
    event.preventDefault();
    // The second of two quick taps finds the field empty.
    if (draft === "" && event.timeStamp - sentAt.current < SECOND_TAP_MS) return;
    const found = findMessageFault(draft, names);
    setFault(found);
    field.current?.focus();
    if (found) return;
    sentAt.current = event.timeStamp;
    onSend(draft.trim());
    onChange("");
    mentions.close();
  }

  function press(event: KeyboardEvent) {
    // Ignore the Enter that confirms an input method's candidate.
    if (event.nativeEvent.isComposing || mentions.press(event)) return;
    if (event.key !== "Enter" || event.shiftKey) return;
    submit(event);
  }

  return (
    <form data-sticking="" className="chat-composer" onSubmit={submit} noValidate>
      {mentions.isOpen && (
        <MentionList
          id={`${id}-people`}
          people={props.mentionable}
          active={mentions.active}
          onPick={mentions.pick}
        />
      )}
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
        aria-autocomplete="list"
        {...(mentions.isOpen && {
          "aria-controls": `${id}-people`,
          "aria-activedescendant": `${id}-people-${mentions.active}`,
        })}
        value={draft}
        onChange={(event) => {
          onChange(event.target.value);
          mentions.read(event.target);
          setFault(null);
        }}
        onSelect={(event) => mentions.read(event.currentTarget)}
        onKeyDown={press}
        onBlur={mentions.close}
      />
      <QuickButton {...props} />
      {/* A press must not take focus from the field, or the phone's keyboard would close and reopen. */}
      <Button type="submit" variant="primary" onMouseDown={(event) => event.preventDefault()}>
        Send
      </Button>
      <WordHelp field={field} text={draft} onChange={onChange} />
      <Foot id={id} fault={fault} length={lengthOf(names + draft)} />
    </form>
  );
}

/** The field goes when a parent or a moderator limits its writer to quick talk: the focus stays where it was. */
function useKeptFocus(field: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const element = field.current;
    return () => {
      if (element === document.activeElement) element?.closest<HTMLElement>("[tabindex]")?.focus();
    };
  }, [field]);
}

type QuickButtonProps = Pick<ComposerProps, "isQuick" | "onQuick" | "quickButton">;

function QuickButton({ isQuick, onQuick, quickButton }: QuickButtonProps) {
  return (
    <Button ref={quickButton} size="icon" aria-expanded={isQuick} aria-label="Quick talk" onClick={onQuick}>
      <LineIcon path="M10 2 4 10h4l-1 6 7-9H9.500z" width={2} />
    </Button>
  );
}

function Foot({ id, fault, length }: { id: string; fault: string | null; length: number }) {
  return (
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
  );
}

type MentionListProps = {
  id: string;
  people: readonly Person[];
  /** The entry that Enter selects. */
  active: number;
  onPick(person: Person): void;
};

/** Suggestions for the "@" mention being typed; focus stays in the field. */
function MentionList({ id, people, active, onPick }: MentionListProps) {
  return (
    <div id={id} role="listbox" aria-label="People here" className="chat-mentions">
      {people.map((person, at) => (
        // biome-ignore lint/a11y/useFocusableInteractive: the field keeps the focus and names the active one
        // biome-ignore lint/a11y/useKeyWithClickEvents: the field takes the keys
        <div
          key={person.id}
          id={`${id}-${at}`}
          role="option"
          aria-selected={at === active}
          className={classNames(
            "flex min-h-11 cursor-pointer items-center px-3.5 hover:bg-(--lit)",
            at === active && "bg-(--lit) font-[650]",
          )}
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => onPick(person)}
        >
          @{person.username}
        </div>
      ))}
    </div>
  );
}
