import { useState } from "react";
import * as v from "valibot";
import { AD_SIZES, type AdSize, PLACEMENT_SIZES, type Placement } from "#app/features/ads/placement.ts";
import type { Draft } from "#app/features/browser-storage/kept.ts";
import { useRead, useRefresh } from "#app/features/live/use-read.ts";
import type { SessionClient } from "#app/features/session/session-client.ts";
import { useSession } from "#app/features/session/use-session.ts";
import { holds } from "#app/routes/admin/shared/holds.ts";
import { ReadState } from "#app/routes/admin/shared/read-state.tsx";
import { isSavedAlready, requireRow } from "#app/routes/admin/shared/require-row.ts";
import { SavedMeanwhile } from "#app/routes/admin/shared/saved-meanwhile.tsx";
import { findKeptEdit, useKeptEdit } from "#app/routes/admin/shared/use-kept-edit.ts";
import { useReturnedFocus } from "#app/routes/admin/shared/use-returned-focus.ts";
import { useFirstField, useRowForm } from "#app/routes/admin/shared/use-row-form.ts";
import { Badge } from "#app/ui/badge.tsx";
import { Button } from "#app/ui/button.tsx";
import { CheckboxField } from "#app/ui/form/checkbox-field.tsx";
import { Form } from "#app/ui/form/form.tsx";
import { TextArea } from "#app/ui/form/text-field.tsx";
import { ScrollRegion } from "#app/ui/scroll-region.tsx";
import { SectionCard } from "#app/ui/section-card.tsx";
import { showToast } from "#app/ui/toast/toast-store.ts";
import { LIMITS } from "#domain/text/limits.ts";
import { atMost } from "#domain/text/text-schema.ts";
import { titled } from "#domain/text/words.ts";
import type { Tables } from "#supabase/database.types.ts";
import { AdPreview } from "./ad-preview.tsx";

/** Ads Management: a card per placement (2.admin.17 to .19). */
export default function AdsPanel() {
  const ads = useRead(["ads"], readAds);
  return (
    <ReadState read={ads} what="Ads">
      {(data) => (
        <div className="grid items-start gap-5 xl:grid-cols-10">
          {data.map((ad) => (
            <AdCard key={ad.id} ad={ad} />
          ))}
        </div>
      )}
    </ReadState>
  );
}

/** Where visitors see each placement. */
const PLACES: Record<Placement, string> = {
  values_grid: "Values: after every 8th card",
  detail_header: "Item page: under the name",
  detail_content: "Item page: between the sections",
  detail_sidebar: "Item page: beside the text",
};

/** Column spans out of ten, so that each preview has its full width beside another card. */
const COLUMNS: Record<AdSize, string> = {
  banner: "xl:col-span-5",
  square: "xl:col-span-3",
  leaderboard: "xl:col-span-7",
};

/** A placement with its ad: view, edit, view again. */
function AdCard({ ad }: { ad: Ad }) {
  const [isEditing, setEditing] = useState(false);
  const card = useReturnedFocus<HTMLDivElement>(isEditing ? ad.id : null);
  const placement = ad.placement as Placement;
  const size = PLACEMENT_SIZES[placement];
  const { width, height } = AD_SIZES[size];
  return (
    <SectionCard
      className={COLUMNS[size]}
      title={
        <>
          <span className="flex-1">{titled(placement)}</span>
          <Badge className="font-sans" tone={ad.enabled ? "rise" : "neutral"}>
            {ad.enabled ? "Enabled" : "Disabled"}
          </Badge>
        </>
      }
    >
      <div ref={card} className="grid gap-4">
        <p className="text-muted text-sm">
          {PLACES[placement]}, {size} of{" "}
          <span className="whitespace-nowrap">
            {width} × {height} px
          </span>
        </p>
        {isEditing ? (
          <AdForm ad={ad} onClose={() => setEditing(false)} />
        ) : (
          <AdView ad={ad} onEdit={() => setEditing(true)} />
        )}
      </div>
    </SectionCard>
  );
}

const { max } = LIMITS.adCode;

const adSchema = v.object({
  ad_code: v.pipe(
    v.string(),
    // Forms submit line breaks as CR LF; users type and count one character.
    v.transform((code) => code.replaceAll("\r\n", "\n")),
    atMost(max, `Ad code must be at most ${max} characters`),
  ),
  enabled: v.pipe(
    v.optional(v.string(), ""),
    v.transform((ticked) => ticked !== ""),
  ),
});

/** An unsaved edit, and the version that was edited. */
const keptSchema = v.object({ ad_code: v.string(), enabled: v.boolean(), was: v.string() });

/** An ad's code and flag, with a live preview; saving or cancelling returns to the view (4.adminedit.03). */
function AdForm({ ad, onClose }: { ad: Ad; onClose(): void }) {
  const refresh = useRefresh();
  const of: Draft = `ad ${ad.id} by ${useSession().session?.user.id}`;
  const [kept] = useState(() => findKeptEdit(of, keptSchema));
  const [{ ad_code, enabled }, type] = useState<AdInput>(kept ?? ad);
  const { form, button, isBusy, element, base, isStale, take, keep, choices } = useRowForm(ad, {
    begun: kept ? { ...ad, updated_at: kept.was } : undefined,
    // What is typed is its own after a lost answer and a reload.
    isOwn: (row, sent) => [...sent, { ad_code, enabled }].some((input) => holds(row, input)),
    schema: adSchema,
    send: saveAd,
    done() {
      forget();
      showToast({ title: "Ad updated successfully" });
      return refresh("ads").then(onClose);
    },
    failed: () => void refresh("ads"),
  });
  const isTyped = ad_code !== base.ad_code || enabled !== base.enabled;
  const forget = useKeptEdit(of, isTyped ? { ad_code, enabled, was: base.updated_at } : null);
  useFirstField(element, choices);

  function takeTheirs() {
    take();
    type(ad);
  }
  function cancel() {
    forget();
    onClose();
  }

  return (
    <Form {...form} ref={element} aria-label={`Edit ${ad.placement}`} className="grid gap-4">
      <TextArea
        label="Ad Code"
        name="ad_code"
        hint="HTML from your ad network. It runs separately from the site."
        limit={max}
        rows={6}
        spellCheck={false}
        autoCapitalize="none"
        className="code-field"
        value={ad_code}
        onChange={(event) => type({ ad_code: event.target.value, enabled })}
      />
      <AdPreview placement={ad.placement as Placement} code={ad_code} />
      <CheckboxField
        label="Enabled"
        name="enabled"
        checked={enabled}
        onChange={(event) => type({ ad_code, enabled: event.target.checked })}
        hint="When it’s off, visitors see nothing. When it’s on without code, they see a placeholder."
      />
      {isStale && (
        <SavedMeanwhile what="ad" onTake={takeTheirs} onKeep={keep}>
          <AdCode label={`Code of ${ad.placement} as stored now`} code={ad.ad_code} />
          <p>It is {ad.enabled ? "enabled" : "disabled"} now.</p>
        </SavedMeanwhile>
      )}
      <div className="flex flex-wrap gap-3">
        <Button {...button} variant="primary" disabled={isStale}>
          Save
        </Button>
        <Button disabled={isBusy} onClick={cancel}>
          Cancel
        </Button>
      </div>
    </Form>
  );
}

/** Code as text; it does not run here. */
function AdCode({ label, code }: { label: string; code: string }) {
  if (code === "") return <p className="text-muted">No ad code yet.</p>;
  return (
    <ScrollRegion label={label} className="code-view">
      <pre>
        <code>{code}</code>
      </pre>
    </ScrollRegion>
  );
}

/** The stored ad, as text only (2.admin.19), with a button to edit it. */
function AdView({ ad, onEdit }: { ad: Ad; onEdit(): void }) {
  return (
    <>
      <AdCode label={`Ad code of ${ad.placement}`} code={ad.ad_code} />
      <Button
        className="justify-self-start"
        data-edits={ad.id}
        aria-label={`Edit ${ad.placement}`}
        onClick={onEdit}
      >
        Edit
      </Button>
    </>
  );
}

type Ad = Tables<"ads">;
type AdInput = Pick<Ad, "ad_code" | "enabled">;

/** All ads by placement (7.read.12). @throws the service's error */
async function readAds(client: SessionClient): Promise<Ad[]> {
  const { data } = await client.from("ads").select("*").order("placement").throwOnError();
  return data;
}

/** Saves the ad only if it has not changed since it was read, or holds the input already. */
async function saveAd(client: SessionClient, { id, updated_at }: Ad, input: AdInput): Promise<void> {
  const writing = client.from("ads").update(input).eq("id", id).eq("updated_at", updated_at);
  const answer = await writing.select("id").maybeSingle();
  const now = client.from("ads").select("*").eq("id", id).maybeSingle();
  if (!(await isSavedAlready(answer, updated_at, input, now))) requireRow(answer, "ad");
}
