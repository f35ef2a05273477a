/** A picture that was unpacked, and frees its memory when it is closed. */
interface Unpacked {
  close(): void;
}

/** Paints pictures that take different times to unpack: one that a newer one has overtaken is dropped. */
export function paintInOrder<Image extends Unpacked>(
  unpack: (base64: string) => Promise<Image | null>,
  paint: (image: Image) => void,
): (base64: string) => Promise<void> {
  let begun = 0;
  let painted = 0;
  return async (base64) => {
    begun += 1;
    const number = begun;
    const image = await unpack(base64);
    if (!image) return;
    if (number > painted) {
      painted = number;
      paint(image);
    }
    image.close();
  };
}

/** Unpacks a picture as a JPEG and as nothing else; null if it is broken. */
export async function unpackJpeg(base64: string): Promise<ImageBitmap | null> {
  const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
  return createImageBitmap(new Blob([bytes], { type: 'image/jpeg' })).catch(() => null);
}

export function drawOn(canvas: HTMLCanvasElement | null, image: ImageBitmap): void {
  if (!canvas) return;
  if (canvas.width !== image.width) canvas.width = image.width;
  if (canvas.height !== image.height) canvas.height = image.height;
  canvas.getContext('2d')?.drawImage(image, 0, 0);
}
