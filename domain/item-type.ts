/** What kind of thing an item is (specification §5). */
export const ITEM_TYPES = ["fruit", "gamepass", "item", "material", "weapon", "accessory"] as const;
