import { z } from 'zod';
import {
  type BrandFamily,
  brandFamilies,
  type BrandFile,
  brandScopes,
  brandThemes,
  isOwnFont,
  type TemplateForm,
} from '../../rules/brands/brand.ts';
import type { StoredBrand } from '../../store/brands/brands.ts';
import type { Context } from '../contract/operation.ts';
import { toUnixTime, unixTime } from '../contract/unix-time.ts';

const color = z.string().meta({ description: 'A color in hexadecimal form, such as `#0b57b0`.' });

/** Colors of a brand, as they are shown. */
export const shownColors = z.object({
  accent: color.optional(),
  text: color.optional(),
  background: color.optional(),
  chart: z.array(color),
});

const shownFile = z.object({
  filename: z.string(),
  bytes: z.int(),
  type: z.string().meta({ description: 'The type of the file, written as an ending such as `png`.' }),
});
const shownFont = z.union([z.enum(brandFamilies), shownFile]);

/** The look of an account or project (docs/build/brands.md). */
export const brandObject = z
  .object({
    scope: z.enum(brandScopes),
    id: z.string().meta({ description: 'Id of the account or project that the brand belongs to.' }),
    name: z.string(),
    theme: z.enum(brandThemes),
    colors: shownColors,
    fonts: z.object({ heading: shownFont.optional(), text: shownFont.optional() }),
    logo: shownFile.extend({ data_uri: z.string().nullable().meta({ description: 'The picture itself.' }) }).nullable(),
    templates: z.object({ docx: shownFile.optional(), pptx: shownFile.optional(), xlsx: shownFile.optional() }),
    footer: z.string(),
    updated_at: unixTime,
  })
  .meta({ id: 'Brand' });

function presentFile({ filename, bytes, form }: BrandFile): z.input<typeof shownFile> {
  return { filename, bytes, type: form };
}

function presentFonts(fonts: Readonly<Record<string, BrandFamily | BrandFile>>) {
  return Object.fromEntries(Object.entries(fonts).map(([place, font]) => [place, isOwnFont(font) ? presentFile(font) : font]));
}

function presentTemplates(templates: Partial<Record<TemplateForm, BrandFile>>) {
  return Object.fromEntries(Object.entries(templates).map(([form, file]) => [form, presentFile(file)]));
}

export async function presentBrand(
  { scope, scopeId: id, brand, updatedAtMs }: StoredBrand,
  { principal, brands }: Pick<Context, 'principal' | 'brands'>,
): Promise<z.input<typeof brandObject>> {
  const { name, theme, colors, fonts, logo, templates, footer } = brand;
  return {
    ...{ scope, id, name, theme, footer },
    colors: { ...colors, chart: [...colors.chart] },
    fonts: presentFonts(fonts),
    logo: logo && { ...presentFile(logo), data_uri: await brands.readLogo(principal.accountId, logo) },
    templates: presentTemplates(templates),
    updated_at: toUnixTime(updatedAtMs),
  };
}
