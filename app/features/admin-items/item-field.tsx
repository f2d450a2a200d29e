import { type ReactNode, useId } from "react";

export type FieldValue = string | boolean;

type ItemFieldProps = {
  name: string;
  label: string;
  value: FieldValue;
  onChange(value: FieldValue): void;
  /** Null for a text; for a choice its options, with what they are called. */
  options?: readonly (readonly [value: string, label: string])[] | null;
  isBox?: boolean;
  isNumber?: boolean;
  required?: boolean;
  error?: string | undefined;
  placeholder?: string;
  maxLength?: number;
  children?: ReactNode;
  className?: string;
};

/** One field of an item, low and close to its neighbours: experts see many of them at once. */
export function ItemField(props: ItemFieldProps) {
  const { label, error, isBox, children, className = "" } = props;
  const id = useId();
  const control = <Control {...props} id={id} described={error ? `${id}-error` : undefined} />;
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
      {error && (
        <span id={`${id}-error`} className="field-error text-2xs">
          {error}
        </span>
      )}
    </div>
  );
}

function Control(props: ItemFieldProps & { id: string; described: string | undefined }) {
  const {
    name,
    value,
    onChange,
    options,
    isBox,
    isNumber,
    required,
    error,
    placeholder,
    maxLength,
    id,
    described,
  } = props;
  const common = {
    id,
    name,
    "aria-describedby": described,
    "aria-invalid": error ? true : undefined,
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
      value={String(value)}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}

/** What is stored stays to be seen, also when it is no option any more, or nothing. */
function withStored(options: NonNullable<ItemFieldProps["options"]>, value: string) {
  if (options.some(([option]) => option === value)) return options;
  return [[value, value ? value : "Choose …"] as const, ...options];
}
