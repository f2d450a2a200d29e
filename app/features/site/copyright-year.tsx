import { useEffect, useState } from "react";

/**
 * The current year (clause 2.footer.04). The server's year stands until the page is alive, so that a page kept from last
 * year still hydrates; then the reader's clock is asked.
 */
export function CopyrightYear({ rendered }: { rendered: number }) {
  const [year, setYear] = useState(rendered);
  useEffect(() => setYear(new Date().getFullYear()), []);
  return year;
}
