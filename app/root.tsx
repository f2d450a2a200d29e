import figtree from "@cut-fonts/figtree.woff2?url";
import texturina from "@cut-fonts/texturina.woff2?url";
import type { ReactNode } from "react";
import { Links, Meta, Outlet, Scripts, ScrollRestoration } from "react-router";
import type { Route } from "./+types/root.ts";
import { ITEM_VIEW_SCRIPT } from "./features/items/item-view-script.ts";
import { type RootData, useRootData } from "./features/site/use-site-config.ts";
import { THEME_SCRIPT } from "./features/theme/theme.ts";
import { EarlyRules } from "./frame/early-rules.tsx";
import { KEEP_TEXTS_SCRIPT } from "./frame/keep-texts.ts";
import { RootError } from "./frame/root-error.tsx";
import { SiteFrame } from "./frame/site-frame.tsx";
import { useScriptNonce } from "./script-nonce.ts";
import { siteContext } from "./server-context.ts";
import "./styles/app.css";

/** Only in the document: it has run by the time of hydration, which leaves it as it is. */
const FIRST_SCRIPT = import.meta.env.SSR ? `${THEME_SCRIPT};${ITEM_VIEW_SCRIPT};${KEEP_TEXTS_SCRIPT}` : "";

const FONT = { rel: "preload", as: "font", type: "font/woff2", crossOrigin: "anonymous" } as const;

export function links(): Route.LinkDescriptors {
  return [
    { ...FONT, href: figtree },
    // On a phone, one more file would delay the first paint; there the font is used from the second page on.
    { ...FONT, href: texturina, media: "(width >= 40rem)" },
    { rel: "icon", href: "/favicon.svg", type: "image/svg+xml" },
    { rel: "icon", href: "/favicon-32.png", sizes: "32x32", type: "image/png" },
    { rel: "apple-touch-icon", href: "/apple-touch-icon.png" },
    { rel: "manifest", href: "/manifest.webmanifest" },
  ];
}

export function loader({ context }: Route.LoaderArgs): RootData {
  return { site: context.get(siteContext), year: new Date().getFullYear() };
}

/** Configuration and year do not change while a page is open. */
export function shouldRevalidate() {
  return false;
}

/** The document of every page, error pages included. */
export function Layout({ children }: { children: ReactNode }) {
  const data = useRootData();
  const nonce = useScriptNonce();
  return (
    <html lang="en" suppressHydrationWarning>
      <head>
        <meta charSet="utf-8" />
        <meta
          name="viewport"
          content="width=device-width, initial-scale=1, viewport-fit=cover, interactive-widget=resizes-content"
        />
        <meta name="theme-color" content="#0b2a37" />
        <script nonce={nonce} suppressHydrationWarning>
          {FIRST_SCRIPT}
        </script>
        <Meta />
        <Links />
      </head>
      <body>
        <EarlyRules />
        <SiteFrame data={data}>{children}</SiteFrame>
        <ScrollRestoration nonce={nonce} />
        <Scripts nonce={nonce} />
      </body>
    </html>
  );
}

export default function Root() {
  return <Outlet />;
}

export function ErrorBoundary() {
  return <RootError />;
}
