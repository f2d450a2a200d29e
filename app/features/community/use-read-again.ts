import { useRevalidator } from "react-router";

/** A hosted backend's pages may be a second old; they are reloaded once more after that. */
const SURELY_FRESH_MS = 1_500;

/** Reloads the page's data, which a rating or an answer changed. */
export function useReadAgain(): () => void {
  const { revalidate } = useRevalidator();
  return () => {
    void revalidate();
    setTimeout(() => void revalidate(), SURELY_FRESH_MS);
  };
}
