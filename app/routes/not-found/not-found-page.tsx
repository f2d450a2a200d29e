import { LinkButton } from "#app/ui/link-button.tsx";

/** The page for an unknown address (clauses 2.routes.03 to 2.routes.05). */
export function NotFoundPage() {
  return (
    <div className="page grid justify-items-center gap-5 py-16 text-center lg:py-24">
      <UnchartedWaters />
      <h1>Oops! Page not found</h1>
      <p className="max-w-[44ch] text-lg text-muted">
        There is no island at this spot on the chart. The address may be misspelled, or the page has moved.
      </p>
      <LinkButton to="/" variant="primary" size="lg">
        Return to Home
      </LinkButton>
    </div>
  );
}

/** A course that ends beside the cross it was drawn for. */
function UnchartedWaters() {
  return (
    <svg
      aria-hidden="true"
      viewBox="0 0 320 150"
      fill="none"
      strokeLinecap="round"
      strokeLinejoin="round"
      className="w-full max-w-sm"
    >
      <path
        d="M14 122C60 60 96 138 140 92S196 40 232 62"
        className="stroke-accent-text"
        strokeWidth="5"
        strokeDasharray="2 14"
      />
      <path d="m258 40 34 34m0-34-34 34" className="stroke-fall" strokeWidth="8" />
      <path
        d="M30 34q7-7 14 0t14 0M196 118q7-7 14 0t14 0 14 0M110 40q7-7 14 0t14 0M268 112q7-7 14 0t14 0"
        className="stroke-line-strong"
        strokeWidth="3"
      />
    </svg>
  );
}
