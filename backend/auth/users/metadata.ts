/** SQL for a column's members with those of a JSON parameter over them; members that are null there are removed. */
export function mergedInto(column: string, parameter: string): string {
  return `(coalesce(${column}, '{}') || ${parameter}::jsonb)
    - array(select key from jsonb_each(${parameter}::jsonb) where value = 'null')`;
}
