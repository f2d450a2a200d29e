import { LineIcon } from "#app/ui/line-icon.tsx";

export function KeyIcon() {
  return (
    <LineIcon
      path="M9.500 9a3.600 3.600 0 1 1-7.200 0 3.600 3.600 0 0 1 7.200 0M9.500 9h6.700v3.200M13 9v2.200"
      width={2}
    />
  );
}
