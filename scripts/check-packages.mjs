import { execFile } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { root, runScript, ScriptError } from "./run-command.mjs";

/** Allowed licenses. Every license in an expression must be listed, even in an OR. */
const ALLOWED = new Set([
  "0BSD",
  "Apache-2.0",
  "BlueOak-1.0.0",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "ISC",
  "MIT",
  "MIT-0",
  "Python-2.0",
  "Unlicense",
  "Zlib",
  // Requires only the source of its own files, which are unmodified.
  "MPL-2.0",
  // Fonts, which may be served but not sold by themselves.
  "OFL-1.1",
]);

/** Licenses allowed for a single package, and why. */
const ALLOWED_FOR = [
  // libvips, a separate library that sharp loads and anyone may replace.
  { name: /^@img\/sharp-/, license: "LGPL-3.0-or-later" },
  // Data used by builds only; none of it is served.
  { name: /^caniuse-lite$/, license: "CC-BY-4.0" },
];

/** Licenses determined by reading packages that declare theirs in no form known to npm. */
const READ_BY_HAND = new Map([
  ["busboy@1.6.0", "MIT"],
  ["combine-errors@3.0.3", "MIT"],
  ["humanize-number@0.0.2", "MIT"],
  ["streamsearch@1.1.0", "MIT"],
  ["xml-escape@1.1.0", "MIT"],
]);

/** Where the list of all packages is written, in CycloneDX format. */
const SBOM = `${root}build/sbom.cdx.json`;
const AUDIT_MS = 20_000;

await runScript(async () => {
  const { components } = await writeSbom();
  const refused = components.flatMap(describeRefused);
  if (refused.length > 0) {
    throw new ScriptError(
      `Packages with a license that scripts/check-packages.mjs does not allow:\n${refused.join("\n")}`,
    );
  }
  await audit();
});

/** From the lock file, so that it is the same on every machine. */
async function writeSbom() {
  const { stdout, stderr } = await npm(["sbom", "--package-lock-only", "--sbom-format=cyclonedx"]);
  const sbom = parse(stdout);
  if (!sbom?.components) throw new ScriptError(`npm made no list of the packages:\n${stderr}`);
  mkdirSync(`${root}build`, { recursive: true });
  writeFileSync(SBOM, stdout);
  return sbom;
}

function describeRefused({ name, version, licenses = [] }) {
  const named = licenses.map(({ expression, license }) => expression ?? license.id ?? license.name);
  const expression = READ_BY_HAND.get(`${name}@${version}`) ?? named.join(" AND ");
  const parts = expression.split(/[()\s]+|\b(?:AND|OR|WITH)\b/).filter(Boolean);
  const isAllowed = (part) =>
    ALLOWED.has(part) || ALLOWED_FOR.some((one) => one.license === part && one.name.test(name));
  return parts.length > 0 && parts.every(isAllowed)
    ? []
    : [`  ${name}@${version}: ${expression || "no license"}`];
}

/** Known vulnerabilities of production packages, if the registry reports them; without a network the check goes on. */
async function audit() {
  const { stdout } = await npm(["audit", "--omit=dev", "--json", "--fetch-retries=0"]);
  const report = parse(stdout);
  if (!report?.vulnerabilities)
    return console.log("The registry answers no audit here: known faults of packages were not looked up.");
  const grave = Object.values(report.vulnerabilities).filter(({ severity }) =>
    ["high", "critical"].includes(severity),
  );
  if (grave.length === 0) return;
  const lines = grave.map(({ name, severity, range }) => `  ${name} ${range}: ${severity}`);
  throw new ScriptError(`Packages with grave known faults (npm audit tells more):\n${lines.join("\n")}`);
}

function npm(args) {
  return new Promise((resolve) => {
    const options = { cwd: root, timeout: AUDIT_MS, maxBuffer: 64 * 1024 * 1024 };
    execFile("npm", args, options, (_, stdout, stderr) => resolve({ stdout, stderr }));
  });
}

function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
