export function takeTurn(file: string, onWait: () => void): Promise<() => void>;
