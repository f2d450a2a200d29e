import type { ConsoleMessage, Page, Request, Response } from "playwright-core";

/**
 * Collects, one line each, what shows up red in the console: errors, warnings, uncaught exceptions, and requests that
 * failed or answered 4xx/5xx. The document itself is left out: its status is for the test to check.
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

/** Drops Chromium's own "Failed to load resource", which repeats the response or failure event with less detail. */
function describeConsole(message: ConsoleMessage): string[] {
  const loud = message.type() === "error" || message.type() === "warning";
  if (!loud || message.text().startsWith("Failed to load resource")) return [];
  // Caused by the test setup; see `keepsCopies`.
  if (message.text() === "Service Worker registration blocked by Playwright") return [];
  return [`console ${message.type()}: ${message.text()}`];
}

/**
 * Requests aborted by a navigation or by the page itself are not failures. Neither are scripts that Chromium does not
 * preload when JavaScript is off, which it reports as `csp`; real policy violations also appear in the console.
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
