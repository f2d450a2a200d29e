import { Link } from "react-router";

/** What an unknown address shows (clauses 2.routes.03 to 2.routes.05). */
export function NotFoundPage() {
  return (
    <div className="not-found">
      <p aria-hidden="true" className="not-found-code">404</p>
      <h1>Oops! Page not found</h1>
      <p>There is no island at this spot on the map. The address may be misspelled, or the page has moved.</p>
      <Link to="/">Return to the home page</Link>
    </div>
  );
}
