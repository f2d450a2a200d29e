/** The URL of another database on the same server with the same login. */
export function onDatabase(url: string, database: string): string {
  const other = new URL(url);
  other.pathname = `/${database}`;
  return other.href;
}
