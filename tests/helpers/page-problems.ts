import type { ConsoleMessage, Page, Request, Response } from "playwright-core";

/**
 * Collects, as one line each, what a careful developer would see red in the console: errors, warnings, uncaught
 * exceptions, requests that failed or answered 4xx/5xx. The document itself is left out: its status is the test's own matter.
 */
export function watchPage(page: Page, expected: RegExp[]): string[] {
  const problems: string[] = [];
  const report = (line: string) => {
    if (!expected.some((pattern) => pattern.test(line))) problems.push(line);
  };
  page.on("console", (message) => describeConsole(message).forEach(report));
  page.on("pageerror", (error) => report(`uncaught: ${error.message}`));
  page.on("requestfailed", (request) => describeFailure(request).forEach(report));
  page.on("response", (response) => describeStatus(response).forEach(report));
  return problems;
}

/** Chromium's own "Failed to load resource" says again, with less, what the response or failure event says. */
function describeConsole(message: ConsoleMessage): string[] {
  const loud = message.type() === "error" || message.type() === "warning";
  if (!loud || message.text().startsWith("Failed to load resource")) return [];
  // The test's own doing; see `keepsCopies`.
  if (message.text() === "Service Worker registration blocked by Playwright") return [];
  return [`console ${message.type()}: ${message.text()}`];
}

/**
 * A request that a navigation or the page itself gave up is no fault. Nor is a script that Chromium does not preload
 * where scripts are off, which it calls `csp`; a real breach of the policy stands in the console too.
 */
function describeFailure(request: Request): string[] {
  const reason = request.failure()?.errorText ?? "unknown";
  return reason === "net::ERR_ABORTED" || reason === "csp"
    ? []
    : [`request failed: ${request.method()} ${request.url()} ${reason}`];
}

function describeStatus(response: Response): string[] {
  const request = response.request();
  if (response.status() < 400 || request.isNavigationRequest()) return [];
  return [`answer ${response.status()}: ${request.method()} ${response.url()}`];
}
