export const pictureShapes = ['square', 'landscape', 'portrait'] as const;
export const pictureQualities = ['low', 'medium', 'high'] as const;

/** A picture that is to be made. */
export interface PictureOrder {
  prompt: string;
  shape: (typeof pictureShapes)[number];
  quality: (typeof pictureQualities)[number];
  /** Pictures to change or to combine, as PNG or JPEG. */
  sources: readonly Uint8Array[];
}
