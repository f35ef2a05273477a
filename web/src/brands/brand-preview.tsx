import { useText } from '../text/locale.ts';
import { type BrandDraft, ownFont } from './brand-draft.ts';

const usual = { accent: '#0f4c75', text: '#1c1b1a', background: '#ffffff', chart: ['#0f4c75', '#e07b00', '#0a8f7b'] };
const serif = /Serif|Garamond|Fraunces/;
const serifThemes = ['report', 'editorial', 'academic'];

function readColor(value: string, otherwise: string): string {
  return /^#[0-9a-f]{6}$/i.test(value) ? value : otherwise;
}

/** White or nearly black, whichever can be read on the color. */
function inkOn(color: string): string {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));
  return red * 0.299 + green * 0.587 + blue * 0.114 > 150 ? '#14171c' : '#ffffff';
}

/** Only the kind of letter: the families themselves are where documents are made. */
function fontOf(family: string, theme: string): string {
  const isSerif = family === '' ? serifThemes.includes(theme) : family !== ownFont && serif.test(family);
  return isSerif ? 'Georgia, "Noto Serif", serif' : 'system-ui, sans-serif';
}

const heights = ['70%', '100%', '48%', '82%', '36%', '60%'];

/** A small page in the colors of a brand, while they are chosen. */
export function BrandPreview({ draft, logo }: { draft: BrandDraft; logo: string | null }) {
  const { brands } = useText();
  const { theme, name, heading, body, footer } = draft;
  const accent = readColor(draft.accent, usual.accent);
  const text = readColor(draft.text, usual.text);
  const background = readColor(draft.background, usual.background);
  const given = draft.chart.filter((color) => readColor(color, '') !== '');
  const chart = given.length > 0 ? given : [accent, ...usual.chart.slice(1)];
  return (
    <figure
      aria-label={brands.preview}
      className="overflow-hidden rounded-lg border border-line"
      style={{ background, color: text }}
    >
      <div className="flex flex-col gap-3 px-6 py-7" style={{ background: accent, color: inkOn(accent) }}>
        {logo !== null && (
          <img src={logo} alt={brands.logo} className="h-10 max-w-40 self-start rounded bg-white object-contain px-2 py-1" />
        )}
        <p className="text-2xl font-semibold wrap-anywhere" style={{ fontFamily: fontOf(heading, theme) }}>
          {name || brands.sampleTitle}
        </p>
      </div>
      <div className="flex flex-col gap-4 px-6 py-5">
        <p className="text-sm" style={{ fontFamily: fontOf(body, theme) }}>
          {brands.sampleText}
        </p>
        <div aria-hidden className="flex h-20 items-end gap-2">
          {chart.map((color, at) => (
            <span key={`${at} ${color}`} className="w-8 rounded-t-sm" style={{ background: color, height: heights[at] }} />
          ))}
        </div>
        {footer !== '' && <p className="text-xs wrap-anywhere">{footer}</p>}
      </div>
    </figure>
  );
}
