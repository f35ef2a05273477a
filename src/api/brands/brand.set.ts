import { z } from 'zod';
import { invalidField } from '@errand/base/fault.ts';
import { toOneLine } from '@errand/base/text/one-line.ts';
import {
  type BrandChanges,
  brandFamilies,
  type BrandFamily,
  type BrandFile,
  brandLimits,
  brandThemes,
  fontPlaces,
  templateForms,
} from '../../rules/brands/brand.ts';
import { setBrand } from '../../store/brands/brands.ts';
import { type Context, defineOperation } from '../contract/operation.ts';
import { brandKeyFields, keyOfBrand } from './brand-key.ts';
import { brandObject, presentBrand } from './brand-object.ts';
import { takeUpload } from './brand-upload.ts';

const color = z
  .string()
  .regex(/^#[0-9a-f]{6}$/i, 'must look like "#0b57b0"')
  .transform((value) => value.toLowerCase());
const fileId = z.string().meta({ description: 'Identifier of an uploaded file.' });
const font = z
  .string()
  .nullish()
  .meta({ description: `One of ${brandFamilies.join(', ')}, or the id of an uploaded WOFF2 or TTF file.` });

const request = z.object({
  ...brandKeyFields,
  name: z.string().max(brandLimits.nameLength).nullish(),
  theme: z
    .enum(brandThemes)
    .nullish()
    .meta({ description: 'The theme of the design kit that it begins with; `report` at first.' }),
  colors: z
    .object({
      accent: color
        .nullish()
        .meta({ description: 'The color of headings, links, and covers; its contrast with the background is at least 3 : 1.' }),
      text: color.nullish().meta({ description: 'The color of text; its contrast with the background is at least 4.5 : 1.' }),
      background: color.nullish(),
      chart: z
        .array(color)
        .max(brandLimits.chartColors)
        .nullish()
        .meta({ description: 'The colors of the series of charts, in their order.' }),
    })
    .optional(),
  fonts: z.object({ heading: font, text: font }).optional(),
  logo: fileId.nullish().meta({ description: 'Identifier of an uploaded SVG or PNG file.' }),
  templates: z.object({ docx: fileId.nullish(), pptx: fileId.nullish(), xlsx: fileId.nullish() }).optional(),
  footer: z.string().max(brandLimits.footerLength).nullish().meta({ description: 'Text at the foot of every printed page.' }),
});
type Request = z.output<typeof request>;

/** Undefined and null as they are: what is not named stays, and null removes. */
async function mapGiven<Value, Result>(
  value: Value | null | undefined,
  map: (value: Value) => Promise<Result>,
): Promise<Result | null | undefined> {
  if (value === undefined || value === null) return value as null | undefined;
  return map(value);
}

async function readFont(field: string, name: string, context: Context): Promise<BrandFamily | BrandFile> {
  const family = brandFamilies.find((each) => each === name);
  if (family) return family;
  if (!name.startsWith('file-'))
    throw invalidField(field, `must be one of ${brandFamilies.join(', ')}, or the id of an uploaded file`);
  return takeUpload({ field, id: name, kind: 'font', most: brandLimits.fontBytes }, context);
}

async function readFonts({ fonts }: Request, context: Context): Promise<NonNullable<BrandChanges['fonts']>> {
  const read: NonNullable<BrandChanges['fonts']> = {};
  for (const place of fontPlaces) {
    const changed = await mapGiven(fonts?.[place], (name) => readFont(`fonts.${place}`, name, context));
    if (changed !== undefined) read[place] = changed;
  }
  return read;
}

async function readTemplate(form: (typeof templateForms)[number], id: string, context: Context): Promise<BrandFile> {
  const field = `templates.${form}`;
  const file = await takeUpload({ field, id, kind: 'template', most: brandLimits.templateBytes }, context);
  if (file.form !== form) throw invalidField(field, `is a .${file.form} file. Give it as templates.${file.form}.`);
  return file;
}

async function readTemplates({ templates }: Request, context: Context): Promise<NonNullable<BrandChanges['templates']>> {
  const read: NonNullable<BrandChanges['templates']> = {};
  for (const form of templateForms) {
    const changed = await mapGiven(templates?.[form], (id) => readTemplate(form, id, context));
    if (changed !== undefined) read[form] = changed;
  }
  return read;
}

async function readChanges(input: Request, context: Context): Promise<BrandChanges> {
  const { name, theme, colors, logo, footer } = input;
  const takeLogo = (id: string) => takeUpload({ field: 'logo', id, kind: 'logo', most: brandLimits.logoBytes }, context);
  return {
    name: name && toOneLine(name),
    theme,
    colors: colors as BrandChanges['colors'],
    fonts: await readFonts(input, context),
    logo: await mapGiven(logo, takeLogo),
    templates: await readTemplates(input, context),
    footer: footer && toOneLine(footer),
  };
}

export const brandSet = defineOperation('POST', 'brand.set', {
  summary: 'Sets the brand of an account or a project: the colors, fonts, logo, and templates of what its agents make.',
  details: [
    'Fields that are not named keep their values; null removes one.',
    'Files are examined, and kept with the brand when the upload expires.',
    'A change applies to tasks when they next begin to work.',
  ].join(' '),
  access: 'all_tasks',
  request,
  response: z.object({ brand: brandObject }),
  async handle(input, context) {
    const key = keyOfBrand(input, context);
    const changes = await readChanges(input, context);
    return { brand: await presentBrand(await context.write(setBrand, { ...key, changes, now: context.now }), context) };
  },
});
