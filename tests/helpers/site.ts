import { inject } from "vitest";
import type { TestSite } from "./site-setup.ts";
import "./site-setup.ts";

/** The running site of this test run; only for journeys. */
export function testSite(): TestSite {
  return inject("testSite");
}
