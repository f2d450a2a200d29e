import { ItemList, type ItemListProps } from "../item-list.tsx";
import { useLongList } from "./use-long-list.tsx";

/** The list of a catalogue that is too long to be sent as a whole. */
export default function LongList(props: ItemListProps) {
  return <ItemList {...props} useItems={useLongList} />;
}
