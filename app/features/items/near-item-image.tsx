import { useEffect, useRef, useState } from "react";
import { ItemImage, type ItemImageProps } from "./item-image.tsx";

/**
 * An item's image that is loaded just before it comes into view, for long lists that open at a tap. Browsers load lazy
 * images from more than a screen away, and each drawing takes a cheap phone some 30 ms.
 */
export function NearItemImage(props: ItemImageProps) {
  const [isNear, setNear] = useState(false);
  const place = useRef<HTMLImageElement>(null);
  const waits = !isNear && Boolean(props.src);
  useEffect(() => {
    if (!waits || !place.current) return;
    const observer = new IntersectionObserver((seen) => {
      if (seen.some(({ isIntersecting }) => isIntersecting)) setNear(true);
    }, NEAR);
    observer.observe(place.current);
    return () => observer.disconnect();
  }, [waits]);
  if (!waits) return <ItemImage {...props} eager />;
  const { alt = "", size, className = "" } = props;
  return <img ref={place} alt={alt} width={size} height={size} className={className} />;
}

/** About a row of pictures, also inside a scrolling dialog where the browser supports that. */
const NEAR = { rootMargin: "100px", scrollMargin: "100px" };
