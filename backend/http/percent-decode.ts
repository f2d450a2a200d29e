/** What is percent-encoded; where it is no such text, throws what `refuse` makes. */
export function percentDecode(text: string, refuse: () => Error): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw refuse();
  }
}
