import { reactRouter } from "@react-router/dev/vite";
import tailwindcss from "@tailwindcss/vite";
import { defineConfig } from "vite";

/** What forms share, most of which are no part of a first view. */
const FORMS =
  /node_modules[\\/]valibot|app[\\/](ui[\\/]form|features[\\/]session[\\/](use-session-form|show-failure))/;

/** What the pages that show items share. */
const ITEMS = /domain[\\/](items|values|fields|text)|app[\\/](features[\\/](items|ads)|ui)[\\/]/;

/** Modules that most pages load come as one file: fewer requests and fewer bytes than a file for each. */
const groups = [
  { name: "shared", minShareCount: 10, test: (id: string) => !FORMS.test(id) },
  { name: "items", minShareCount: 3, test: ITEMS },
];

export default defineConfig({
  plugins: [tailwindcss(), reactRouter()],
  environments: {
    client: { build: { rolldownOptions: { output: { codeSplitting: { groups } } } } },
  },
});
