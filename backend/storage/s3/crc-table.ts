/** The CRC of each byte, as upper and lower 32 bits. */
export type CrcTable = { upper: Uint32Array; lower: Uint32Array };

const made = new Map<string, CrcTable>();

/** The lookup table of a bit-reversed polynomial of up to 64 bits. */
export function makeCrcTable(polynomialUpper: number, polynomialLower: number): CrcTable {
  const name = `${polynomialUpper} ${polynomialLower}`;
  const known = made.get(name);
  if (known) return known;
  const table = { upper: new Uint32Array(256), lower: new Uint32Array(256) };
  for (let byte = 0; byte < 256; byte++) {
    let [upper, lower] = [0, byte];
    for (let bit = 0; bit < 8; bit++) {
      const isOdd = (lower & 1) === 1;
      lower = (lower >>> 1) | (upper << 31);
      upper >>>= 1;
      if (isOdd) [upper, lower] = [upper ^ polynomialUpper, lower ^ polynomialLower];
    }
    table.upper[byte] = upper;
    table.lower[byte] = lower;
  }
  made.set(name, table);
  return table;
}

/** Updates a CRC kept as two halves, the upper one first. */
export function stepCrc(table: CrcTable, state: Uint32Array, chunk: Uint8Array): void {
  const { upper: upperOf, lower: lowerOf } = table;
  let upper = state[0] as number;
  let lower = state[1] as number;
  for (let at = 0; at < chunk.length; at++) {
    const index = (lower ^ (chunk[at] as number)) & 255;
    lower = ((lower >>> 8) | (upper << 24)) ^ (lowerOf[index] as number);
    upper = (upper >>> 8) ^ (upperOf[index] as number);
  }
  state[0] = upper;
  state[1] = lower;
}
