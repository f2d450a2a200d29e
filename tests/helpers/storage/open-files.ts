import { readdir, readlink } from "node:fs/promises";

/** The files in the folder that this process has open. */
export async function openFiles(folder: string): Promise<string[]> {
  const numbers = await readdir("/proc/self/fd");
  const paths = await Promise.all(numbers.map((each) => readlink(`/proc/self/fd/${each}`).catch(() => "")));
  return paths.filter((path) => path.startsWith(folder));
}
