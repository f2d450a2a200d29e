import { useState } from "react";
import * as v from "valibot";
import type { Placement } from "#app/features/ads/placement.ts";
import { useRefresh } from "#app/features/live/use-read.ts";
import { SavedMeanwhile } from "#app/routes/admin/shared/saved-meanwhile.tsx";
import { useFirstField, useRowForm } from "#app/routes/admin/shared/use-row-form.ts";
import { Button } from "#app/ui/button.tsx";
import { CheckboxField } from "#app/ui/form/checkbox-field.tsx";
import { Form } from "#app/ui/form/form.tsx";
import { TextArea } from "#app/ui/form/text-field.tsx";
import { showToast } from "#app/ui/toast/toast-store.ts";
import { LIMITS } from "#domain/text/limits.ts";
import { atMost } from "#domain/text/text-schema.ts";
import { AdPreview } from "./ad-preview.tsx";
import { type Ad, saveAd } from "./ad-queries.ts";
import { AdCode } from "./ad-view.tsx";

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

type AdFormProps = { ad: Ad; onClose(): void };

/** An ad's code and flag, with a live preview; saving or cancelling returns to the view (4.adminedit.03). */
export function AdForm({ ad, onClose }: AdFormProps) {
  const refresh = useRefresh();
  const [code, setCode] = useState(ad.ad_code);
  const { form, button, element, initial, base, isStale, take, keep } = useRowForm(ad, {
    schema: adSchema,
    send: saveAd,
    done() {
      showToast({ title: "Ad updated successfully" });
      return refresh("ads").then(onClose);
    },
    failed: () => void refresh("ads"),
  });
  useFirstField(element, base);

  function takeTheirs() {
    take();
    setCode(ad.ad_code);
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
        value={code}
        onChange={(event) => setCode(event.target.value)}
      />
      <AdPreview placement={ad.placement as Placement} code={code} />
      <CheckboxField
        label="Enabled"
        name="enabled"
        key={initial.updated_at}
        defaultChecked={initial.enabled}
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
        <Button onClick={onClose}>Cancel</Button>
      </div>
    </Form>
  );
}
