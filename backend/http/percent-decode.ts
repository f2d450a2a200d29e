/** Decodes percent-encoding; throws `refuse()` if it is malformed. */
export function percentDecode(text: string, refuse: () => Error): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw refuse();
  }
}
