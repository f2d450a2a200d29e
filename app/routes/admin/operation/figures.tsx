import type { ReactNode } from "react";
import { Moment } from "#app/routes/admin/shared/moment.tsx";
import { SectionCard } from "#app/ui/section-card.tsx";
import { Stat } from "#app/ui/stat.tsx";
import { ARCHIVE_SILENT_AFTER, type OperationReport } from "#domain/operation/operation-report.ts";
import { formatCount } from "#domain/text/counts.ts";
import { formatBytes, formatSpan } from "./format-figure.ts";

const DATABASES = { embedded: "embedded", own: "of your own", hosted: "of another host" };

/** A report's figures, in cards that stand side by side if there is room. */
export function Figures({ report }: { report: OperationReport }) {
  return (
    <div className="grid grid-cols-1 gap-5 lg:grid-cols-2">
      <SiteCard report={report} />
      <DatabaseCard report={report} />
      <MailCard report={report} />
      <DiskCard report={report} />
      <BackupCard report={report} />
    </div>
  );
}

type CardProps = { report: OperationReport };

function FigureCard({ title, children }: { title: string; children: ReactNode }) {
  return (
    <SectionCard title={title}>
      <dl className="grid gap-1">{children}</dl>
    </SectionCard>
  );
}

function SiteCard({ report: { at, version, machine, processes, setup } }: CardProps) {
  const startedAt = processes.map((one) => one.startedAt).sort()[0] ?? at;
  const sum = (of: (one: (typeof processes)[number]) => number) =>
    processes.reduce((total, one) => total + of(one), 0);
  return (
    <FigureCard title="Site">
      <Stat label="Version">{version}</Stat>
      <Stat label="Up for">{formatSpan((Date.parse(at) - Date.parse(startedAt)) / 1000)}</Stat>
      <Stat label="Responding processes">{`${processes.length} of ${setup.processes}`}</Stat>
      <Stat label="Open sockets">{sum(({ sockets }) => sockets).toLocaleString("en-US")}</Stat>
      <Stat label="Open pages with live updates">
        {sum(({ livePages }) => livePages).toLocaleString("en-US")}
      </Stat>
      <Stat label="Cached pages">{formatBytes(sum(({ keptBytes }) => keptBytes))}</Stat>
      <Stat label="Load (1 minute)">
        {`${machine.load.toFixed(1)} on ${formatCount(machine.cores, "core")}`}
      </Stat>
      <Stat label="Free memory">
        {`${formatBytes(machine.freeMemoryBytes)} of ${formatBytes(machine.memoryBytes)}`}
      </Stat>
    </FigureCard>
  );
}

function DatabaseCard({ report: { database, setup, processes, changesArrive } }: CardProps) {
  return (
    <FigureCard title="Database">
      <Stat label="PostgreSQL">
        {database ? `${database.version}, ${DATABASES[setup.database]}` : DATABASES[setup.database]}
      </Stat>
      {database ? (
        <>
          <Stat label="Size">{formatBytes(database.bytes)}</Stat>
          <Stat label="Response time">{`${database.latencyMs.toFixed(1)} ms`}</Stat>
          <Stat label="Connections">{`${database.connections} of ${database.maxConnections}`}</Stat>
          <Stat label="Replication lag">{formatBytes(database.slotLagBytes)}</Stat>
        </>
      ) : (
        <Stat label="State">{setup.database === "hosted" ? "not monitored" : "does not respond"}</Stat>
      )}
      {processes.some(({ pool }) => pool) && (
        <Stat label="Connections in use by the services">
          {processes.map(({ pool }) => (pool ? `${pool.busy} of ${pool.max}` : "none")).join(", ")}
        </Stat>
      )}
      <Stat label="Live changes">{changesArrive ? "received at once" : "polled every second"}</Stat>
    </FigureCard>
  );
}

function MailCard({ report: { mails, setup } }: CardProps) {
  return (
    <FigureCard title="Mail">
      <Stat label="Emails">{setup.mailArrives ? "are sent" : "are not sent"}</Stat>
      {mails && (
        <>
          <Stat label="Queued">{mails.waiting.toLocaleString("en-US")}</Stat>
          <Stat label="Failing, being retried">{mails.failing.toLocaleString("en-US")}</Stat>
          {mails.waiting > 0 && <Stat label="Oldest queued for">{formatSpan(mails.oldestSeconds)}</Stat>}
          <Stat label="Discarded in the last seven days">{mails.lost.toLocaleString("en-US")}</Stat>
        </>
      )}
    </FigureCard>
  );
}

function DiskCard({ report: { disk, files } }: CardProps) {
  return (
    <FigureCard title="Disk and Files">
      <Stat label="Free on the data folder's disk">
        {disk ? `${formatBytes(disk.freeBytes)} of ${formatBytes(disk.sizeBytes)}` : "nothing is stored here"}
      </Stat>
      {files && (
        <Stat label="Uploaded files">
          {`${files.objects.toLocaleString("en-US")}, ${formatBytes(files.bytes)}`}
        </Stat>
      )}
    </FigureCard>
  );
}

function BackupCard({ report: { backup, archive } }: CardProps) {
  const log = archive && (
    <Stat label="Write-ahead log">
      {archive.silentSeconds > ARCHIVE_SILENT_AFTER
        ? `not archived for ${formatSpan(archive.silentSeconds)}`
        : "archived at once"}
    </Stat>
  );
  if (!backup)
    return (
      <FigureCard title="Backups">
        <Stat label="Schedule">none</Stat>
        {log}
      </FigureCard>
    );
  const { last, failure, everyMs } = backup;
  return (
    <FigureCard title="Backups">
      <Stat label="Every">{formatSpan(everyMs / 1000)}</Stat>
      <Stat label="Last">{last ? <Moment at={last.madeAt} /> : "none yet"}</Stat>
      {last && (
        <>
          <Stat label="Size">{`${formatBytes(last.bytes)}, ${formatCount(last.files, "uploaded file")}`}</Stat>
          <Stat label="Verified">
            {`restored in ${formatSpan(last.seconds)}, ${formatCount(last.rows, "row")} read`}
          </Stat>
        </>
      )}
      {failure && (
        <Stat label="Failed">
          <Moment at={failure.at} />
          {`: ${failure.reason}`}
        </Stat>
      )}
      {log}
    </FigureCard>
  );
}
