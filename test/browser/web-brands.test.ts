import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { contentTypes, packOffice, relationships } from '../support/files/office-samples.ts';
import { PageHand } from './page-hand.ts';
import { type Answer, examine, WebUnderTest } from './web-under-test.ts';

let web: WebUnderTest;
let page: Page;
let hand: PageHand;

beforeAll(async () => {
  web = await WebUnderTest.start();
  page = await web.open('/settings/brand');
  hand = new PageHand(page);
});

afterAll(async () => {
  await web[Symbol.asyncDispose]();
});

const stored = async (place: Answer = { scope: 'account' }) => (await web.call('brand.get', place))['brand'] as Answer | null;
const form = () => page.getByRole('form', { name: 'Look' });
const field = (name: string) => form().getByRole('textbox', { name, exact: true });
const file = (name: string, content: string | Uint8Array) => ({
  name,
  mimeType: 'application/octet-stream',
  buffer: Buffer.from(content),
});
const svg = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 30 10"><path fill="#0b6e4f" d="M0 0h30v10H0z"/></svg>';

const drawing = 'http://schemas.openxmlformats.org/drawingml/2006/main';
const color = (place: string, value: string) => `<a:${place}><a:srgbClr val="${value}"/></a:${place}>`;
const theme = `<a:theme xmlns:a="${drawing}"><a:themeElements><a:clrScheme name="x">${color('dk1', '10241D')}${color('lt1', 'FFFFFF')}${color('accent1', '0B6E4F')}</a:clrScheme><a:fontScheme name="x"><a:majorFont><a:latin typeface="Manrope"/></a:majorFont><a:minorFont><a:latin typeface="Corporate S"/></a:minorFont></a:fontScheme></a:themeElements></a:theme>`;
const template = packOffice({
  '[Content_Types].xml': contentTypes({
    'ppt/presentation.xml': 'application/vnd.openxmlformats-officedocument.presentationml.template.main+xml',
  }),
  '_rels/.rels': relationships([['rId1', 'officeDocument', 'ppt/presentation.xml']]),
  'ppt/presentation.xml': '<p:presentation xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main"/>',
  'ppt/theme/theme1.xml': theme,
});

describe('a brand in the settings', () => {
  it('is chosen with a preview, and set when it is saved', async () => {
    await form().waitFor();
    await examine(page, 'brand-empty');
    await form().getByLabel('Name').fill('Harbor & Co');
    await field('Accent color').fill('#0b6e4f');
    await form().getByLabel('Based on').selectOption('deck');
    await form().getByLabel('Headings').selectOption('Fraunces');
    await hand.press('Add chart color', form());
    await field('Chart color 1').fill('#e07b00');
    await page.getByRole('figure', { name: 'Preview' }).getByText('Harbor & Co').waitFor();
    expect(await stored()).toBe(null);
    await hand.press('Save brand', form());
    await hand.said('Brand saved.').waitFor();
    expect(await stored()).toMatchObject({
      name: 'Harbor & Co',
      theme: 'deck',
      colors: { accent: '#0b6e4f', chart: ['#e07b00'] },
      fonts: { heading: 'Fraunces' },
    });
    await examine(page, 'brand');
  });

  it('says at its field which color cannot be read, and keeps what was typed', async () => {
    await field('Accent color').fill('#ffee00');
    await hand.press('Save brand', form());
    await form()
      .getByRole('alert')
      .getByText(/has a contrast of/)
      .waitFor();
    expect(await field('Accent color').inputValue()).toBe('#ffee00');
    await hand.press('Discard changes', form());
    expect(await field('Accent color').inputValue()).toBe('#0b6e4f');
  });

  it('has files, each saved or refused when it is chosen', async () => {
    await page.getByLabel('Logo', { exact: true }).setInputFiles(file('logo.svg', svg));
    await page.getByText('logo.svg').waitFor();
    expect(await stored()).toMatchObject({ name: 'Harbor & Co', logo: { filename: 'logo.svg', type: 'svg' } });
    await page.getByRole('figure', { name: 'Preview' }).getByRole('img', { name: 'Logo' }).waitFor();
    await page.getByLabel('Word template', { exact: true }).setInputFiles(file('letter.docx', 'no document'));
    await page
      .getByRole('alert')
      .getByText(/templates.docx/i)
      .waitFor();
    await hand.press('Remove: Logo');
    await expect.poll(async () => (await stored())?.['logo']).toBe(null);
  });

  it('is proposed from a template, and set with it only when it is saved', async () => {
    await form().getByLabel('Read from a template').setInputFiles(file('house.pptx', template));
    await form().getByText('Suggested from the template.').waitFor();
    await form()
      .getByText(/Corporate S/)
      .waitFor();
    expect(await field('Text color').inputValue()).toBe('#10241d');
    expect(await form().getByLabel('Headings').inputValue()).toBe('Manrope');
    expect((await stored())?.['templates']).toEqual({});
    await examine(page, 'brand-proposed');
    await hand.press('Save brand', form());
    await expect
      .poll(() => stored())
      .toMatchObject({
        colors: { accent: '#0b6e4f', text: '#10241d', background: '#ffffff' },
        fonts: { heading: 'Manrope' },
        templates: { pptx: { filename: 'house.pptx' } },
      });
  });

  it('is deleted whole', async () => {
    await hand.press('Delete brand');
    await hand.press('Delete brand', hand.dialog());
    await expect.poll(() => stored()).toBe(null);
    expect(await form().getByLabel('Name').inputValue()).toBe('');
  });
});

it('a project has a brand of its own on its page', async () => {
  const { project } = (await web.call('project.create', { name: 'Garden' })) as { project: { id: string } };
  const there = await web.open(`/projects/${project.id}`);
  const look = there.getByRole('form', { name: 'Look' });
  await look.getByRole('textbox', { name: 'Footer' }).fill('Garden club');
  await new PageHand(there).press('Save brand', look);
  await expect.poll(() => stored({ scope: 'project', id: project.id })).toMatchObject({ footer: 'Garden club' });
  expect(await stored()).toBe(null);
  await examine(there, 'project-brand');
});
