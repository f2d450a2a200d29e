/** The types of items (5.item.08). */
export const ITEM_TYPES = ["fruit", "gamepass", "item", "material", "weapon", "accessory"] as const;
export type ItemType = (typeof ITEM_TYPES)[number];
