import { crc32, deflateSync } from "node:zlib";
import sharp from "sharp";

/** A picture with enough detail that its encodings differ. */
export function picture(format: "png" | "jpeg" | "webp" | "gif", width = 60, height = 40): Promise<Buffer> {
  const pixels = Buffer.alloc(width * height * 3, 0);
  for (let i = 0; i < pixels.length; i++) pixels[i] = (i * 7 + (i >> 8)) % 256;
  return sharp(pixels, { raw: { width, height, channels: 3 } })
    .toFormat(format)
    .toBuffer();
}

/** Two frames of one color each. */
export function animation(width = 40, height = 30): Promise<Buffer> {
  const frame = (red: number) => Buffer.alloc(width * height * 3, red);
  const pixels = Buffer.concat([frame(20), frame(220)]);
  return sharp(pixels, { raw: { width, height: height * 2, channels: 3, pageHeight: height } })
    .gif({ delay: [100, 100], loop: 0 })
    .toBuffer();
}

/** A decompression bomb: a small PNG that declares the given size and unpacks to it. */
export function bomb(width: number, height: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([1, 0, 0, 0, 0], 8);
  const rows = deflateSync(Buffer.alloc((Math.ceil(width / 8) + 1) * height), { level: 9 });
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10]);
  return Buffer.concat([
    signature,
    chunk("IHDR", header),
    chunk("IDAT", rows),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const check = Buffer.alloc(4);
  check.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, check]);
}
