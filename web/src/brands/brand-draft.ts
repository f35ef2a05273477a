import type { Brand, Request, Response } from '@errand/client';
import { clearing } from '../api/errand.ts';

export type Proposal = Response<'brand.read'>;

/** The place of the brand that is edited. */
export interface BrandPlace {
  scope: Brand['scope'];
  /** Id of the project; omitted for the account. */
  id?: string;
}

/** The fields of the form. Colors are empty where the theme decides. */
export interface BrandDraft {
  name: string;
  theme: Brand['theme'];
  accent: string;
  text: string;
  background: string;
  chart: readonly string[];
  /** A family; empty for that of the theme, `file` for an uploaded one. */
  heading: string;
  body: string;
  footer: string;
}

export const themes = ['report', 'deck', 'editorial', 'technical', 'keynote', 'minimal', 'academic', 'playful'] as const;
export const families = ['Inter', 'Manrope', 'Nunito', 'Source Serif 4', 'EB Garamond', 'Fraunces', 'JetBrains Mono'] as const;
export const mostChartColors = 6;

/** What a font is called that was uploaded. */
export const ownFont = 'file';

type Font = Brand['fonts']['heading'];

function nameFont(font: Font): string {
  return typeof font === 'object' ? ownFont : (font ?? '');
}

export function draftOf(brand: Brand | null): BrandDraft {
  const { accent = '', text = '', background = '', chart = [] } = brand?.colors ?? {};
  return {
    name: brand?.name ?? '',
    theme: brand?.theme ?? 'report',
    ...{ accent, text, background, chart },
    heading: nameFont(brand?.fonts.heading),
    body: nameFont(brand?.fonts.text),
    footer: brand?.footer ?? '',
  };
}

/** A draft with what was read out of a template. */
export function fillDraft(draft: BrandDraft, { colors, fonts }: Proposal): BrandDraft {
  const { accent = draft.accent, text = draft.text, background = draft.background, chart } = colors;
  const { heading = draft.heading, text: body = draft.body } = fonts;
  return { ...draft, accent, text, background, chart: chart.length > 0 ? chart : draft.chart, heading, body };
}

/** An uploaded font stays as it is. */
function fontOf(place: 'heading' | 'text', name: string): { heading?: string | null; text?: string | null } {
  return name === ownFont ? {} : { [place]: name || null };
}

/** The request that saves a draft. */
export function requestOf(place: BrandPlace, draft: BrandDraft): Request<'brand.set'> {
  const { name, theme, accent, text, background, chart, heading, body, footer } = draft;
  return clearing<'brand.set'>({
    ...place,
    ...{ name, theme, footer },
    colors: { accent: accent || null, text: text || null, background: background || null, chart: [...chart] },
    fonts: { ...fontOf('heading', heading), ...fontOf('text', body) },
  });
}
