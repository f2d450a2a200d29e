import type { ReactNode } from "react";
import type { RootData } from "#app/features/site/use-site-config.ts";
import { ToastHost } from "#app/ui/toast/toast-host.tsx";
import { BottomBar } from "./bottom-bar.tsx";
import { Deferred } from "./deferred.tsx";
import "./missing-files.ts";
import { SiteFooter } from "./site-footer.tsx";
import { SiteHeader } from "./site-header.tsx";

/** The frame of every page; an error page without configuration has neither header nor footer. */
export function SiteFrame({ data, children }: { data: RootData | null; children: ReactNode }) {
  return (
    <>
      <a href="#main" className="skip-link">
        Skip to content
      </a>
      {data && <SiteHeader siteName={data.site.siteName} />}
      {data && <Deferred />}
      <main id="main" tabIndex={-1} className="site-main">
        {children}
      </main>
      {data && <SiteFooter site={data.site} year={data.year} />}
      {data && <BottomBar />}
      <ToastHost />
    </>
  );
}
