import { useState } from "react";

/** The hulls that initials sail on; which one a name gets stays the same. */
const HULLS = ["avatar-teal", "avatar-amber", "avatar-plum", "avatar-rose", "avatar-moss"];

/** A trader's picture over their initials, which stay where there is none or it does not come. The name stands beside it. */
export function TraderAvatar({ username, url }: { username: string; url: string | null }) {
  const [isBroken, setBroken] = useState(false);
  return (
    <span aria-hidden="true" className={`avatar ${hullOf(username)}`}>
      {initialsOf(username)}
      {url && !isBroken && (
        <img
          src={url}
          alt=""
          width={56}
          height={56}
          loading="lazy"
          decoding="async"
          onError={() => setBroken(true)}
        />
      )}
    </span>
  );
}

/** The capitals of a name made of words (SwiftOtter100: SO), else its first two letters. */
function initialsOf(username: string): string {
  const capitals = username.replace(/[^A-Z]/g, "");
  return (capitals.length > 1 ? capitals : username.replace(/_/g, "")).slice(0, 2).toUpperCase();
}

function hullOf(username: string): string | undefined {
  const sum = [...username].reduce((all, letter) => all + letter.charCodeAt(0), 0);
  return HULLS[sum % HULLS.length];
}
