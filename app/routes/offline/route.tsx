import { metaOf } from "#app/features/site/page-meta.ts";
import { LinkButton } from "#app/ui/link-button.tsx";

export const meta = metaOf(() => ({
  path: "/offline",
  title: "No connection",
  description: "This page is not saved on this device.",
  keywords: ["offline"],
}));

/** The page shown offline for a page of which there is no copy. */
export default function Offline() {
  return (
    <div className="no-connection page grid justify-items-center gap-5 py-16 text-center lg:py-24">
      <h1>No connection</h1>
      <p className="max-w-[44ch] text-lg text-muted">
        This page is not saved on this device. The values, the calculator and the items you opened before are.
      </p>
      <div className="flex flex-wrap justify-center gap-3">
        <LinkButton to="/values" variant="primary" size="lg">
          Browse Values
        </LinkButton>
        <LinkButton to="/calculator" size="lg">
          Trade Calculator
        </LinkButton>
      </div>
      <p>
        {/* An empty address is the requested one. */}
        <a href="?" className="link inline-flex min-h-11 items-center">
          Try again
        </a>
      </p>
    </div>
  );
}
