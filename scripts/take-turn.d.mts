export function takeTurn(
  file: string,
  onWait: () => void,
): Promise<{
  /** False once the turn has lapsed and another process has taken it. */
  isOurs(): boolean;
  release(): void;
}>;
