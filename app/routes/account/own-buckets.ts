/** Where pictures of a person may lie, each in a folder of their own: what is taken along, and goes with the account. */
export const OWN_BUCKETS = ["avatars", "avatar-uploads", "change-uploads"] as const;
