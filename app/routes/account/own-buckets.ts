/**
 * The buckets that may contain a user's pictures, each in a folder of their own: included in the download, and deleted
 * with the account.
 */
export const OWN_BUCKETS = ["avatars", "avatar-uploads", "change-uploads"] as const;
