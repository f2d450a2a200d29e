import { useState } from "react";
import type { Placement } from "#app/features/ads/placement.ts";
import { Button } from "#app/ui/button.tsx";
import { CheckboxField } from "#app/ui/checkbox-field.tsx";
import { TextArea } from "#app/ui/text-field.tsx";
import { showToast } from "#app/ui/toast-store.ts";
import { LIMITS, lengthOf } from "#domain/limits.ts";
import { SavedMeanwhile } from "../admin/saved-meanwhile.tsx";
import { type FormReading, useAdminForm } from "../admin/use-admin-form.ts";
import { useEditBase } from "../admin/use-edit-base.ts";
import { AdPreview } from "./ad-preview.tsx";
import { AdCode } from "./ad-view.tsx";
import { type Ad, type AdInput, saveAd } from "./ad-writes.ts";

type AdFormProps = { ad: Ad; onSaved(): void; onCancel(): void; onFailed(): void };

/** Code and flag of an ad with a preview of what is typed; save or cancel leads back to the view (4.adminedit.03). */
export function AdForm({ ad, onSaved, onCancel, onFailed }: AdFormProps) {
  const { element, initial, base, isStale, take, keep } = useEditBase(ad);
  const [isSaved, setSaved] = useState(false);
  const [code, setCode] = useState(ad.ad_code);
  const { form, faults, isBusy } = useAdminForm({
    read: readAd,
    save: (client, input) => saveAd(client, base, input),
    done() {
      setSaved(true);
      showToast({ title: "Ad updated successfully" });
      onSaved();
    },
    failed: onFailed,
  });
  const mustChoose = isStale && !isBusy && !isSaved;

  function takeTheirs() {
    take();
    setCode(ad.ad_code);
  }

  return (
    <form {...form} ref={element} aria-label={`Edit ${ad.placement}`} className="grid gap-4">
      <TextArea
        label="Ad Code"
        name="ad_code"
        error={faults.ad_code}
        hint="HTML from your ad network. It runs apart from the site."
        limit={LIMITS.adCode.max}
        rows={6}
        spellCheck={false}
        autoCapitalize="none"
        className="code-field"
        value={code}
        onChange={(event) => setCode(event.target.value)}
      />
      <AdPreview placement={ad.placement as Placement} code={code} />
      <CheckboxField
        label="Enabled"
        name="enabled"
        key={initial.updated_at}
        defaultChecked={initial.enabled}
        hint="Off, or without code, visitors see a placeholder."
      />
      {mustChoose && (
        <SavedMeanwhile what="ad" onTake={takeTheirs} onKeep={keep}>
          <AdCode label={`Code of ${ad.placement} as it is stored now`} code={ad.ad_code} />
          <p>It is {ad.enabled ? "enabled" : "disabled"} now.</p>
        </SavedMeanwhile>
      )}
      <div className="flex flex-wrap gap-3">
        <Button type="submit" variant="primary" disabled={isBusy || mustChoose}>
          Save
        </Button>
        <Button onClick={onCancel}>Cancel</Button>
      </div>
    </form>
  );
}

function readAd(data: FormData): FormReading<AdInput> {
  // A form's lines end in CR LF; people type and count one character.
  const ad_code = String(data.get("ad_code") ?? "").replaceAll("\r\n", "\n");
  const { max } = LIMITS.adCode;
  if (lengthOf(ad_code) > max) return { faults: { ad_code: `Ad code must be at most ${max} characters` } };
  return { input: { ad_code, enabled: data.get("enabled") !== null } };
}
