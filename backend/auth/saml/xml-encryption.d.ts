declare module "xml-encryption" {
  type Options = { key: string; warnInsecureAlgorithm?: boolean };
  export function decrypt(
    xml: string,
    options: Options,
    done: (error: Error | null, xml: string) => void,
  ): void;
}
