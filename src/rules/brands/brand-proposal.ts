import { contrastOf } from '@errand/base/text/colors.ts';
import { type BrandColors, brandFamilies, type BrandFamily, brandLimits, type FontPlace, type TemplateForm } from './brand.ts';

/** What was read out of a template. */
export interface TemplateFindings {
  form: TemplateForm;
  text?: string;
  background?: string;
  accents: readonly string[];
  headingFont?: string;
  textFont?: string;
  logo?: { form: 'svg' | 'png'; base64: string };
}

/** A brand like a template, for a person to confirm. */
export interface BrandProposal {
  colors: BrandColors;
  /** Families that the design kit has. */
  fonts: Partial<Record<FontPlace, BrandFamily>>;
  /** Families of the template that it does not have. */
  missingFonts: string[];
  logo: { form: 'svg' | 'png'; base64: string } | null;
}

/** Colors that can be used together: those that could not be read are left out. */
function proposeColors({ text, background, accents }: TemplateFindings): BrandColors {
  const ground = background ?? '#ffffff';
  const isReadable = text !== undefined && contrastOf(text, ground) >= 4.5;
  const accent = accents.find((color) => contrastOf(color, ground) >= 3);
  const chart = accents.filter((color) => contrastOf(color, ground) >= 1.2);
  return {
    ...(accent !== undefined && { accent }),
    ...(isReadable && { text }),
    ...(isReadable && background !== undefined && { background }),
    chart: chart.slice(0, brandLimits.chartColors),
  };
}

/** Makes a proposal of what a template looks like. */
export function proposeBrand(findings: TemplateFindings): BrandProposal {
  const { headingFont, textFont, logo = null } = findings;
  const findFamily = (name: string | undefined) => brandFamilies.find((family) => family.toLowerCase() === name?.toLowerCase());
  const [heading, text] = [findFamily(headingFont), findFamily(textFont)];
  const named = [headingFont, textFont].filter((name) => name !== undefined);
  return {
    colors: proposeColors(findings),
    fonts: { ...(heading && { heading }), ...(text && { text }) },
    missingFonts: [...new Set(named.filter((name) => findFamily(name) === undefined))],
    logo,
  };
}
