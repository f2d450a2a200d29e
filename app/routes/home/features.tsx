import type { ReactNode } from "react";
import { Card } from "#app/ui/card.tsx";

const FEATURES: readonly { title: string; text: string; drawing: ReactNode }[] = [
  {
    title: "Real-Time Values",
    text: "When we change a value, the page shows it within a second. Every change is kept, so you can see where a fruit has been before you guess where it goes.",
    drawing: (
      <>
        <path className="sketch-line" d="M14 20h212M14 52h212M14 84h212M14 116h212" />
        <path className="sketch-fill" d="M14 112l34-20 30 8 34-38 30 14 36-44 48 22v80H14z" />
        <path className="sketch-rope" d="M14 112l34-20 30 8 34-38 30 14 36-44 48 22" />
        <circle className="sketch-lamp" cx="178" cy="32" r="9" />
      </>
    ),
  },
  {
    title: "Smart Calculator",
    text: "Nine slots for you, nine for them. It weighs both sides in regular and permanent values, with demand, and says plainly who gives more.",
    drawing: (
      <>
        <path className="sketch-ink" d="M120 22v92M88 118h64M46 44l148-18" />
        <circle className="sketch-lamp" cx="120" cy="24" r="8" />
        <path className="sketch-line" d="M46 44 22 88M46 44l24 44M194 26l-24 44M194 26l24 44" />
        <path className="sketch-bowl" d="M18 88h56q-6 20-28 20T18 88zM166 70h56q-6 20-28 20t-28-20z" />
        <circle className="sketch-fruit" cx="38" cy="76" r="12" />
        <circle className="sketch-fruit-2" cx="57" cy="78" r="10" />
        <circle className="sketch-fruit-3" cx="194" cy="57" r="13" />
      </>
    ),
  },
  {
    title: "Trusted Platform",
    text: "Accurate values kept by experts. Each item says when it was last checked, and what nobody knows is called unpriced.",
    drawing: (
      <>
        <path className="sketch-sheet" d="M52 14h112l24 24v88H52z" />
        <path className="sketch-line" d="M70 40h66M70 58h98M70 76h98M70 94h50" />
        <path
          className="sketch-seal"
          d="M176 70l8 6 10-1 4 9 9 4-1 10 6 8-6 8 1 10-9 4-4 9-10-1-8 6-8-6-10 1-4-9-9-4 1-10-6-8 6-8-1-10 9-4 4-9 10 1z"
        />
        <path className="sketch-mark" d="M176 88v34M162 108q2 14 14 15 12-1 14-15M168 97h16" />
      </>
    ),
  },
];

/** The three promises (clauses 2.home.04, 1.product.02). */
export function Features() {
  return (
    <section className="page features" aria-labelledby="features-title">
      <h2 id="features-title">Trade with the tide, not against it</h2>
      <ul>
        {FEATURES.map(({ title, text, drawing }) => (
          <Card as="li" key={title} pad={false} className="feature">
            <svg aria-hidden="true" viewBox="0 0 240 132" className="sketch">
              {drawing}
            </svg>
            <div>
              <h3>{title}</h3>
              <p>{text}</p>
            </div>
          </Card>
        ))}
      </ul>
    </section>
  );
}
