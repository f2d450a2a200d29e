import { useState } from "react";
import { Button } from "#app/ui/button.tsx";

/** More lines than this are folded, so that empty ones do not push the room away. */
const MOST_LINES = 15;

/** Text is text: no markup, no links (P13), in whichever direction its writing goes. */
export function MessageText({ text }: { text: string }) {
  const [isUnfolded, setUnfolded] = useState(false);
  const lines = text.split("\n");
  if (isUnfolded || lines.length <= MOST_LINES) {
    return (
      <p dir="auto" className="chat-text">
        {text}
      </p>
    );
  }
  return (
    <>
      <p dir="auto" className="chat-text">
        {lines.slice(0, MOST_LINES).join("\n")}
      </p>
      <Button size="sm" variant="ghost" tabIndex={-1} onClick={() => setUnfolded(true)}>
        Show all {lines.length} lines
      </Button>
    </>
  );
}
