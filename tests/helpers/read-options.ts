import { type ParseArgsOptionsConfig, parseArgs } from "node:util";

/** Reads the options of a program that npm runs; what it does not know ends it with its usage. */
export function readOptions<const Options extends ParseArgsOptionsConfig>(usage: string, options: Options) {
  const refuse = (): never => {
    console.error(`Usage: ${usage}`);
    process.exit(1);
  };
  const parse = () => {
    try {
      return parseArgs({ options }).values;
    } catch {
      return refuse();
    }
  };
  const wholeNumber = (text: string | undefined, otherwise: number): number => {
    if (text === undefined) return otherwise;
    return /^\d{1,15}$/.test(text) ? Number(text) : refuse();
  };
  return { values: parse(), wholeNumber, refuse };
}
