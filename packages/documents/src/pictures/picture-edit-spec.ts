import { z } from 'zod';

export const pictureFormats = ['png', 'jpg', 'jpeg', 'webp', 'avif', 'gif', 'tiff'] as const;
export type PictureFormat = (typeof pictureFormats)[number];

const side = z.int().min(1).max(8_000);
const offset = z.int().min(-8_000).max(8_000);
const color = z
  .string()
  .regex(/^#[0-9a-f]{6}([0-9a-f]{2})?$/i, 'must look like "#2563eb", or "#2563eb80" for a half transparent one');
const anchor = z.enum(['top-left', 'top', 'top-right', 'left', 'center', 'right', 'bottom-left', 'bottom', 'bottom-right']);
const factor = z.number().min(0).max(10);

/** One operation; which fields are required depends on `do`. Flat, because not every model handles alternatives of objects. */
const operation = z
  .strictObject({
    do: z
      .enum(['resize', 'crop', 'rotate', 'flip', 'adjust', 'blur', 'sharpen', 'text', 'box', 'overlay', 'extend'])
      .describe(
        'resize (width, height, fit), crop (left, top, width, height), rotate (degrees), flip (axis), adjust, blur (amount), sharpen, text, box, overlay (image), extend (left, top, right, bottom, color).',
      ),
    width: side.optional().describe('In pixels. resize needs one of width and height; crop and box both.'),
    height: side.optional(),
    fit: z
      .enum(['inside', 'cover', 'contain', 'fill'])
      .optional()
      .describe('resize to both sides: inside keeps the proportions (default), cover cuts off, contain adds margins.'),
    left: offset.optional().describe('Pixels from the left edge.'),
    top: offset.optional().describe('Pixels from the upper edge.'),
    right: side.optional(),
    bottom: side.optional(),
    degrees: z.number().min(-360).max(360).optional().describe('Clockwise.'),
    axis: z.enum(['horizontal', 'vertical']).optional(),
    amount: z.number().min(0.3).max(100).optional(),
    brightness: factor.optional().describe('adjust: 1 leaves it as it is.'),
    saturation: factor.optional().describe('adjust: 0 is grey.'),
    contrast: factor.optional().describe('adjust: 1 leaves it as it is.'),
    hue: z.int().min(-360).max(360).optional().describe('adjust: turns colours by degrees.'),
    invert: z.boolean().optional(),
    text: z.string().min(1).max(1_000).optional().describe('text: what is written; line ends are kept.'),
    size: z
      .number()
      .min(4)
      .max(1_000)
      .optional()
      .describe('text: height of the letters in pixels. Default: a twentieth of the picture.'),
    bold: z.boolean().optional(),
    color: color.optional(),
    background: color.optional().describe('text: what stands behind the letters.'),
    at: anchor.optional().describe('Where text or overlay stands when left and top are not given. Default: center.'),
    image: z.string().optional().describe('overlay: a picture of the workspace.'),
    opacity: z.number().min(0).max(1).optional(),
    radius: z.int().min(0).max(4_000).optional().describe('box: round corners.'),
  })
  .meta({ disclosure: 'briefly' })
  .describe(
    'do: resize (width, height, fit), crop (left, top, width, height), rotate (degrees), flip, adjust, blur, sharpen, text (text, at), box, overlay (image, at), extend',
  );

export const editFields = {
  image: z.string(),
  output: z.string().describe('Its ending gives the format.').meta({ disclosure: 'bare' }),
  operations: z.array(operation).max(40).default([]),
  quality: z.int().min(1).max(100).default(85).meta({ disclosure: 'later' }),
};

const editSpec = z.strictObject(editFields);
export type EditSpec = z.infer<typeof editSpec>;
export type EditOperation = EditSpec['operations'][number];

export interface EditJob extends EditSpec {
  format: PictureFormat;
}
