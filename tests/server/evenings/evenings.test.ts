import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import tls from "node:tls";
import { afterAll, describe, expect, test } from "vitest";
import { loadKeys } from "#server/data-dir/load-keys.ts";
import { type Act, openJournal } from "#tests/faults/journal.ts";
import { judge } from "#tests/faults/judge.ts";
import { OPEN_BUCKET, type Place } from "#tests/faults/test-bed.ts";
import { enterBrowser, openTrader, type Trader } from "#tests/faults/trader.ts";
import { until } from "#tests/faults/until.ts";
import { makeNewUsersAdults } from "#tests/helpers/adult-users.ts";
import type { MailCatcher } from "#tests/helpers/mail-catcher.ts";
import { hasNginx } from "#tests/helpers/nginx.ts";
import { runOn } from "#tests/helpers/run-on.ts";
import { startServer } from "#tests/helpers/server-process.ts";
import { type Machine, openMachine } from "./machine.ts";
import { receiveMails, signInByLink, signUpByMail } from "./new-users.ts";
import { readWalk } from "./read-walk.ts";
import { scrapeAsPrometheus } from "./scrape.ts";

const TEN_MINUTES = 10 * 60_000;
const PATIENT = { timeout: TEN_MINUTES };
const KINDS: Act[] = ["message", "trade", "value", "file"];

/** Actions between two steps of the document, keyed by the title of the preceding step. */
type StepActions = Record<string, (output: string) => unknown>;

describe.runIf(hasNginx)("an operator's two evenings by docs/operations.md (needs Debian's nginx)", () => {
  const parent = mkdtempSync(join(tmpdir(), "evenings-"));
  // If root runs the tests, PostgreSQL has its own account.
  chmodSync(parent, 0o711);
  const journal = openJournal(join(parent, "acknowledged.jsonl"));
  const traders: Trader[] = [];
  let machine: Machine;
  let mails: MailCatcher | undefined;
  let using: Promise<unknown> = Promise.resolve();
  let leaveBrowser = () => {};

  const placeOf = (dataDir: string, address: string): Place => {
    const databaseUrl = () => readFileSync(join(dataDir, "database-url"), "utf8").trim();
    return {
      address,
      databaseUrl,
      anonKey: async () => (await loadKeys(dataDir)).anonKey,
      secretKey: async () => (await loadKeys(dataDir)).serviceRoleKey,
      query: (sql, values) => runOn(databaseUrl(), sql, values),
    };
  };
  const onMachine = () => placeOf(machine.pathOf("/var/lib/fruit-values"), machine.address);

  /** Runs every step below a heading, verbatim. */
  async function follow(heading: string, beside: StepActions): Promise<void> {
    const left = { ...beside };
    for (const { title, commands } of readWalk(heading)) {
      const output = await machine.follow(commands);
      await left[title]?.(output);
      delete left[title];
    }
    expect(Object.keys(left), "steps that are not in the document").toEqual([]);
  }

  /** Starts all writers; resolves once a write of each kind has been acknowledged. */
  async function write(): Promise<{ end(): Promise<unknown> }> {
    const first = journal.entries.length;
    using = Promise.all(traders.map((trader) => trader.use()));
    const stored = (kind: Act) =>
      journal.entries.slice(first).some(({ act, outcome }) => act === kind && outcome === "acknowledged");
    await until("something of each kind is stored", () => KINDS.every(stored));
    return {
      end() {
        for (const trader of traders) trader.rest();
        return using;
      },
    };
  }

  async function openSite(output: string): Promise<void> {
    const place = onMachine();
    await makeNewUsersAdults(place.databaseUrl());
    await place.query(OPEN_BUCKET);
    const admin = await signInByLink(machine, output);
    const trader = await signUpByMail(machine, mails as MailCatcher);
    leaveBrowser = enterBrowser();
    for (const account of [admin, trader])
      traders.push(await openTrader(place, journal, traders.length, account));
    for (const { enter } of traders) enter();
  }

  afterAll(async () => {
    for (const trader of traders) await trader.leave();
    leaveBrowser();
    await using;
    machine?.stop();
    await mails?.close();
    rmSync(parent, { recursive: true, force: true });
  }, TEN_MINUTES);

  test(
    "a bare machine becomes a site behind nginx with TLS, mail, backups and metrics",
    PATIENT,
    async () => {
      machine = await openMachine(parent);
      await follow("A site on a machine of your own, in one evening", {
        "2. A certificate": async () => {
          mails = await receiveMails(machine, parent);
        },
        "5. nginx": async (output) => {
          expect(output).toContain('{"status":"ok"}');
          await expect(fetch(`${machine.address}/values`), "without the authority").rejects.toThrow();
          const authority = readFileSync(machine.pathOf("/etc/fruit-values/authority.pem"), "utf8");
          tls.setDefaultCACertificates([authority]);
          const page = await fetch(`${machine.address}/values`);
          expect(page.status).toBe(200);
          expect(page.headers.get("strict-transport-security")).not.toBeNull();
          expect(await page.text()).toContain("Kitsune");
        },
        "6. Yourself as the first admin": openSite,
        "7. Prometheus": async () => {
          const figures = await scrapeAsPrometheus(machine.pathOf("/etc/prometheus/prometheus.yml"));
          expect(figures.get("site_database_up")).toBe(1);
          expect(figures.get("site_mails_lost")).toBe(0);
        },
        "8. The first backup": async () => {
          const [first = ""] = readdirSync(machine.pathOf("/mnt/other/backups"));
          const state = machine.pathOf("/var/lib/fruit-values/last-backup.json");
          expect(JSON.parse(readFileSync(state, "utf8"))).toMatchObject({
            last: { name: first },
            failure: null,
          });
        },
      });
      expect(machine.unused(), "names that the document has not").toEqual([]);
    },
  );

  let saved: readonly (typeof journal.entries)[number][] = [];

  test(
    "the machine dies: another one serves within ten minutes, and no acknowledged write is lost",
    PATIENT,
    async () => {
      expect(traders, "the first evening came to its end").toHaveLength(2);
      await (await write()).end();
      await machine.follow(
        "cd /srv/fruit-values && DATA_DIR=/var/lib/fruit-values npm run backup -- /mnt/other/backups/$(date +%Y-%m-%dT%H-%M-%SZ)",
      );
      saved = [...journal.entries];
      const writing = await write();
      const died = Date.now();
      machine.die();
      await writing.end();
      let restored = "";
      await follow("When the machine is gone", {
        "3. The last backup, and all that was confirmed after it": (output) => {
          restored = output;
        },
        "4. The service and nginx": (output) => expect(output).toContain('{"status":"ok"}'),
      });
      const seconds = (Date.now() - died) / 1000;
      expect(restored).toContain("read to its end: the last change");
      expect(await judge(onMachine(), journal.entries, [])).toEqual([]);
      // Signed-in users still are, and keep writing.
      await (await write()).end();
      expect(await judge(onMachine(), journal.entries, traders)).toEqual([]);
      expect(seconds * 1000).toBeLessThan(TEN_MINUTES);
      process.stderr.write(`The other machine served ${seconds.toFixed(1)} s after the first one died.\n`);
    },
  );

  test("the backup alone holds every write acknowledged before it", PATIENT, async () => {
    expect(saved, "there was a backup").not.toEqual([]);
    const dataDir = join(parent, "alone");
    const [backup = ""] = readdirSync(machine.pathOf("/mnt/other/backups")).sort().slice(1);
    await machine.follow(
      `cd /srv/fruit-values && DATA_DIR=${dataDir} npm run restore -- /mnt/other/backups/${backup}`,
    );
    const WAL_ARCHIVE_TO = machine.pathOf("/mnt/other/log");
    await expect(startServer({ env: { DATA_DIR: dataDir, WAL_ARCHIVE_TO } })).rejects.toThrow(
      "holds a log that this database does not continue",
    );
    const server = await startServer({ env: { DATA_DIR: dataDir } });
    const place = placeOf(dataDir, server.address);
    const found = await judge(place, saved, []);
    const slots = "select slot_name from pg_replication_slots where slot_type = 'physical'";
    const kept = await place.query(slots);
    await server.stop();
    expect(found).toEqual([]);
    expect(kept, "nothing is kept for an archive that is not wanted").toEqual([]);
  });
});
