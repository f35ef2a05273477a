import { describe, expect, it } from 'vitest';
import { kitThemes } from '@errand/documents/kit';
import { type Brand, brandThemes, changeBrand, emptyBrand } from './brand.ts';
import { checkContrast } from './brand-contrast.ts';
import { proposeBrand } from './brand-proposal.ts';
import { writeBrandStyles } from './brand-styles.ts';

const logo = { blobId: 'b1', filename: 'a.svg', bytes: 10, form: 'svg' as const };
const font = { blobId: 'b2', filename: 'a.woff2', bytes: 10, form: 'woff2' as const };

describe('a brand', () => {
  it('begins with a theme that the design kit has', () => {
    expect([...brandThemes].toSorted()).toEqual([...kitThemes].toSorted());
  });

  it('keeps what a change does not name, and loses what it names as null', () => {
    const first = changeBrand(emptyBrand, {
      name: 'R',
      colors: { accent: '#b3002d', chart: ['#111111'] },
      logo,
      fonts: { heading: 'Inter' },
    });
    expect(changeBrand(first, {})).toEqual(first);
    const second = changeBrand(first, {
      colors: { text: '#222222' },
      fonts: { text: font },
      templates: { docx: { ...logo, form: 'docx' } },
    });
    expect(second).toMatchObject({
      name: 'R',
      logo,
      fonts: { heading: 'Inter', text: font },
      templates: { docx: { form: 'docx' } },
    });
    expect(second.colors).toEqual({ accent: '#b3002d', text: '#222222', chart: ['#111111'] });
    const none = {
      name: null,
      theme: null,
      footer: null,
      logo: null,
      templates: { docx: null },
      fonts: { heading: null, text: null },
    };
    expect(changeBrand(second, { ...none, colors: { accent: null, text: null, chart: null } })).toEqual(emptyBrand);
  });

  it.each([
    ['colors.text', { text: '#999999', chart: [] }],
    ['colors.text', { background: '#333333', chart: [] }],
    ['colors.accent', { accent: '#ffd100', chart: [] }],
    ['colors.accent', { accent: '#222222', text: '#ffffff', background: '#000000', chart: [] }],
    ['colors.chart.1', { chart: ['#b3002d', '#fefefe'] }],
  ])('needs contrast: %s is named', (param, colors) => {
    expect(() => checkContrast(colors)).toThrow(expect.objectContaining({ code: 'invalid_argument', param }));
  });

  it('may have any colors that can be read', () => {
    const light = { accent: '#b3002d', text: '#333333', background: '#fffaf0', chart: ['#ffc000'] };
    const night = { accent: '#ffd100', text: '#ffffff', background: '#0b1020', chart: ['#ffffff'] };
    for (const colors of [{ chart: [] }, light, night]) expect(() => checkContrast(colors)).not.toThrow();
  });
});

describe('the style sheet of a brand', () => {
  const brand: Brand = {
    ...emptyBrand,
    colors: { accent: '#b3002d', chart: ['#b3002d', '#445566'] },
    fonts: { heading: 'Manrope', text: font },
    logo,
  };

  it('has its colors light and dark, its fonts, and its logo', () => {
    const css = writeBrandStyles(brand);
    expect(css).toMatch(/--accent: light-dark\(#b3002d, #[0-9a-f]{6}\)/);
    expect(css).toContain('--chart-2: light-dark(#445566,');
    expect(css).toContain('--head-font: "Manrope"');
    expect(css).toContain('--text-font: "Brand Text"');
    expect(css).toContain('url("brand/text.woff2")');
    expect(css).toContain('url("brand/logo.svg")');
    expect(css).not.toContain('@bottom-left');
  });

  it('cannot be ended or extended by its texts and colors', () => {
    const footer = 'A"; } </style><script>\\ \n body { color: red } /* é 中 */';
    const css = writeBrandStyles({
      ...brand,
      footer,
      colors: { accent: 'red; } body { x: y', chart: ['url(https://example.com)'] },
    });
    expect(css).not.toMatch(/<|https|body \{|\/\*/);
    expect(css).toMatch(/--brand-footer: "A\\22 \\3b |--brand-footer: "A\\22 ;/);
    expect(css).toContain('中');
  });
});

it('a proposal leaves out colors that could not be read, and names the fonts that are missing', () => {
  const found = { form: 'pptx' as const, text: '#eeeeee', background: '#ffffff', accents: ['#ffd100', '#b3002d', '#ffffff'] };
  expect(proposeBrand({ ...found, headingFont: 'manrope', textFont: 'Corporate S' })).toEqual({
    colors: { accent: '#b3002d', chart: ['#ffd100', '#b3002d'] },
    fonts: { heading: 'Manrope' },
    missingFonts: ['Corporate S'],
    logo: null,
  });
});
