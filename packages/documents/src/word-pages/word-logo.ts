import { AlignmentType, ImageRun, Paragraph, type ParagraphChild, Tab, TextRun } from 'docx';
import sharp from 'sharp';
import { Fault } from '@errand/base/fault.ts';
import { openPicture, type Picture, readPicture } from '../pictures/picture-file.ts';

/** The logo of a brand, in both forms that documents show. */
export interface WordLogo {
  /** The logo on the ground of the page. */
  plain: Picture;
  /** The logo on a white plate, so that it can be seen on any cover. */
  plate: Picture;
}

/** Pixels of the longer side: enough for print at the size of a cover. */
const longestSide = 1_200;

/** The places of logos, in pixels of 96 to the inch, as the design kit has them. */
const boxes = { cover: { width: 205, height: 74 }, title: { width: 176, height: 54 }, header: { width: 130, height: 24 } };

/** A drawing says its size in units of its own; it is drawn as large as print needs. */
async function drawLogo(bytes: Uint8Array): Promise<Picture> {
  const { facts } = await openPicture(bytes, 'the logo');
  if (facts.format !== 'svg') return readPicture(bytes, 'the logo', longestSide);
  const scale = longestSide / Math.max(facts.width, facts.height);
  const drawn = await sharp(bytes, { density: Math.min(100_000, Math.max(1, 72 * scale)) })
    .png()
    .toBuffer();
  return readPicture(drawn, 'the logo', longestSide);
}

async function putOnPlate({ bytes, width, height }: Picture): Promise<Picture> {
  const [across, along] = [Math.round(height * 0.26), Math.round(height * 0.18)];
  const size = { width: width + 2 * across, height: height + 2 * along };
  const corner = Math.round(size.height * 0.1);
  const rectangle = `<svg xmlns="http://www.w3.org/2000/svg" width="${size.width}" height="${size.height}"><rect width="100%" height="100%" rx="${corner}" fill="#fff"/></svg>`;
  const plate = await sharp(Buffer.from(rectangle))
    .composite([{ input: Buffer.from(bytes), left: across, top: along }])
    .png()
    .toBuffer();
  return { bytes: plate, format: 'png', ...size };
}

/** Draws a logo; a remark for the model if the file is none. */
export async function readLogo(bytes: Uint8Array): Promise<WordLogo | string> {
  try {
    const plain = await drawLogo(bytes);
    return { plain, plate: await putOnPlate(plain) };
  } catch (error) {
    if (error instanceof Fault && error.code === 'internal') throw error;
    return 'The logo of the brand is not shown: its file cannot be drawn.';
  }
}

function writeLogo(picture: Picture, box: { width: number; height: number }): ImageRun {
  const scale = Math.min(box.width / picture.width, box.height / picture.height);
  return new ImageRun({
    type: picture.format,
    data: picture.bytes,
    transformation: {
      width: Math.max(1, Math.round(picture.width * scale)),
      height: Math.max(1, Math.round(picture.height * scale)),
    },
    altText: { title: 'Logo', description: 'Logo', name: 'Logo' },
  });
}

/** The logo above the title of a document. */
export function titleLogo(
  logo: WordLogo | null,
  where: 'cover' | 'title',
  isMirrored: boolean,
  align: 'start' | 'center' = 'start',
): Paragraph[] {
  if (!logo) return [];
  const picture = where === 'cover' ? writeLogo(logo.plate, boxes.cover) : writeLogo(logo.plain, boxes.title);
  return [
    new Paragraph({
      children: [picture],
      alignment: align === 'center' ? AlignmentType.CENTER : AlignmentType.START,
      spacing: { after: where === 'cover' ? 400 : 360 },
      keepNext: true,
      ...(isMirrored && { bidirectional: true }),
    }),
  ];
}

/** The logo at the beginning of a running header, with a tab before what follows. */
export function headerLogo(logo: WordLogo | null): ParagraphChild[] {
  return logo ? [writeLogo(logo.plain, boxes.header), new TextRun({ children: [new Tab()] })] : [];
}
