import { type ReactNode, useId } from "react";
import type { Option } from "#app/routes/admin/items/choices.tsx";
import { faultProps, useFault, useFormBusy } from "#app/ui/form/form.tsx";

export type FieldValue = string | boolean;

type ItemFieldProps = {
  name: string;
  label: string;
  value: FieldValue;
  onChange(value: FieldValue): void;
  /** Null for a text; for a choice, its options and their labels. */
  options?: readonly Option[] | null;
  isBox?: boolean;
  isNumber?: boolean;
  required?: boolean;
  placeholder?: string;
  maxLength?: number;
  children?: ReactNode;
  className?: string;
};

/** One field of an item in a compact layout, since experts see many of them at once. */
export function ItemField(props: ItemFieldProps) {
  const { name, label, isBox, children, className = "" } = props;
  const id = useId();
  const fault = useFault(name);
  const control = <Control {...props} id={id} fault={fault} />;
  return (
    <div className={`item-field ${className}`}>
      {isBox ? (
        <label htmlFor={id} className="item-box">
          {control}
          {label}
        </label>
      ) : (
        <>
          <label htmlFor={id}>{label}</label>
          {control}
        </>
      )}
      {children}
      {fault && (
        <span id={`${id}-note`} className="field-error text-2xs">
          {fault}
        </span>
      )}
    </div>
  );
}

function Control(props: ItemFieldProps & { id: string; fault: string | null }) {
  const { name, value, onChange, options, isBox, isNumber, required, placeholder, maxLength, id, fault } =
    props;
  const isBusy = useFormBusy();
  const common = {
    id,
    name,
    ...(fault !== null && faultProps(`${id}-note`, fault)),
    "aria-required": required || undefined,
    className: isBox ? "" : "control",
  };
  if (isBox) {
    return (
      <input
        {...common}
        type="checkbox"
        checked={value === true}
        onChange={(event) => onChange(event.target.checked)}
      />
    );
  }
  if (options) {
    return (
      <select {...common} value={String(value)} onChange={(event) => onChange(event.target.value)}>
        {withStored(options, String(value)).map(([option, label]) => (
          <option key={option} value={option}>
            {label}
          </option>
        ))}
      </select>
    );
  }
  return (
    <input
      {...common}
      type="text"
      inputMode={isNumber ? "decimal" : undefined}
      autoComplete="off"
      spellCheck={false}
      placeholder={placeholder}
      maxLength={maxLength}
      readOnly={isBusy}
      value={String(value)}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}

/** Keeps the stored value selectable even if it is empty or no longer an option. */
function withStored(options: NonNullable<ItemFieldProps["options"]>, value: string) {
  if (options.some(([option]) => option === value)) return options;
  return [[value, value ? value : "Choose…"] as const, ...options];
}
