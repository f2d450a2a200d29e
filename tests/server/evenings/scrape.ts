import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** The Accept header that Prometheus sends. */
const ACCEPT =
  "application/openmetrics-text;version=1.0.0;q=0.5,application/openmetrics-text;version=0.0.1;q=0.4,text/plain;version=0.0.4;q=0.3,*/*;q=0.2";
const LINE = /^([a-zA-Z_:][\w:]*)(\{(?:[a-zA-Z_]\w*="(?:[^"\\]|\\.)*",?)*\})? (\S+)$/;

/** Scrapes the targets of a configuration as Prometheus would; returns the metrics without labels. */
export async function scrapeAsPrometheus(configuration: string): Promise<Map<string, number>> {
  const text = readFileSync(configuration, "utf8");
  const [, rules = ""] = /^rule_files: \[(\S+)\]$/m.exec(text) ?? [];
  if (!existsSync(join(dirname(configuration), rules))) throw new Error(`there are no rules in ${rules}`);
  const [, target = ""] = /targets: \["([^"]+)"\]/.exec(text) ?? [];
  const answer = await fetch(`http://${target}/metrics`, { headers: { accept: ACCEPT } });
  const kind = answer.headers.get("content-type") ?? "";
  if (!answer.ok || !kind.startsWith("text/plain; version=0.0.4"))
    throw new Error(`${answer.status} ${kind}`);
  const figures = new Map<string, number>();
  for (const line of (await answer.text()).split("\n")) {
    if (line === "" || line.startsWith("#")) continue;
    const [, name = "", labels, value] = LINE.exec(line) ?? [];
    if (!name) throw new Error(`no line of Prometheus's format: ${line}`);
    if (!labels) figures.set(name, Number(value));
  }
  return figures;
}
