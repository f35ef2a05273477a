import { execFile } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { type Browser, chromium } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CliUnderTest, type Result } from '../support/cli/cli-under-test.ts';
import { createFolder } from '../support/process/leftovers.ts';
import { scenario, sentence, slides } from './made-files-scenario.ts';

const run = promisify(execFile);

/** Programs that errand did not write, which open what it made. In the commit gate they must be there. */
function has(...programs: string[]): boolean {
  const missing = programs.filter((program) => !existsSync(`/usr/bin/${program}`));
  if (missing.length > 0 && process.env.CI) throw new Error(`missing: ${missing.join(', ')}`);
  return missing.length === 0;
}

const hasOffice = has('soffice', 'pdftotext', 'pdffonts');
const hasChromium = has('chromium');
const hasCjk = existsSync('/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc');
const shown = hasCjk ? sentence : sentence.replace(/[\u3000-\uffff].*$/, '');

let result: Result;
let folder = '';

beforeAll(async () => {
  const cli = new CliUnderTest();
  const text = hasCjk ? scenario : scenario.replaceAll(/[\u3000-\u9fff\uff00-\uffef]/g, '');
  result = await cli.run(['run', '--unattended', text]);
  folder = dirname(globSync('workspaces/**/report.pdf', { cwd: cli.dataDir }).map((path) => join(cli.dataDir, path))[0] ?? '.');
});

/** The words of a file, without the spaces and line ends that its layout needs. */
async function readWords(file: string): Promise<string> {
  const { stdout } = await run('pdftotext', [file, '-']);
  return stdout.replaceAll(/\s+/g, ' ');
}

async function countPages(file: string): Promise<number> {
  const { stdout } = await run('pdfinfo', [file]);
  return Number(/Pages:\s+(\d+)/.exec(stdout)?.[1]);
}

const squeeze = (text: string) => text.replaceAll(/\s/g, '');

it('a scenario goes from numbers to a chart, a workbook, a deck, a report and a site', () => {
  expect(result).toMatchObject({ code: 0, stdout: 'The scenario is over: 10 tool calls, 0 failed.' });
});

describe.skipIf(!hasOffice)('the generated files, opened by other programs', () => {
  const converted = createFolder('office');

  beforeAll(async () => {
    const files = ['word.docx', 'book.xlsx', 'calc.ods', 'deck.pptx'].map((name) => join(folder, name));
    const profile = `-env:UserInstallation=file://${converted}/profile`;
    const argv = [profile, '--headless', '--norestore', '--convert-to', 'pdf', '--outdir', converted, ...files];
    const { stdout, stderr } = await run('soffice', argv, { env: { PATH: '/usr/bin:/bin', HOME: converted } });
    const complaint = /.*(error|corrupt|could not be loaded).*/i.exec(`${stdout}${stderr}`);
    if (complaint) throw new Error(complaint[0]);
  });

  it('the report is a PDF with its fonts inside and text that can be searched', async () => {
    const file = join(folder, 'report.pdf');
    expect(squeeze(await readWords(file))).toContain(squeeze(shown));
    expect(await readWords(file)).toContain('begun <b>well</b> & "so"');
    expect(await countPages(file)).toBeGreaterThanOrEqual(3);
    const { stdout } = await run('pdffonts', [file]);
    const fonts = stdout.trim().split('\n').slice(2);
    expect(fonts.length).toBeGreaterThanOrEqual(hasCjk ? 3 : 2);
    // Name, type, encoding, then whether it is embedded; signs of one color font are drawings, which have no encoding.
    for (const font of fonts) expect(font).toMatch(/ yes (yes|no) +(yes|no) +\d+ +\d+$/);
  });

  it('the Word file has the same words', async () => {
    const words = await readWords(join(converted, 'word.pdf'));
    expect(squeeze(words)).toContain(squeeze(shown));
    for (const part of ['Sales report', 'begun <b>well</b> & "so"', 'Revenue by month', 'code & <markup>', 'Second page']) {
      expect(words).toContain(part);
    }
  });

  it('the workbooks have typed cells and computed formulas', async () => {
    for (const name of ['book.pdf', 'calc.pdf']) {
      const words = await readWords(join(converted, name));
      for (const part of ['7,640.50', '4800.5', '1600.17', '2026-03-31']) expect(words, name).toContain(part);
      expect(squeeze(words), name).toContain(squeeze(shown));
      expect(words, name).not.toMatch(/Err:|#NAME|#REF|###/);
    }
    expect(await readWords(join(converted, 'book.pdf'))).toContain('Parts & more');
    expect(readFileSync(join(folder, 'book.csv'), 'utf8')).toContain('\r\nTotal,,7640.5,');
  });

  it('the presentation has a page for each slide, with its words', async () => {
    const file = join(converted, 'deck.pdf');
    expect(await countPages(file)).toBe(slides.length);
    const words = await readWords(file);
    for (const part of ['Sales <2026> & "more"', 'in the harbour', 'North leads', '2,100.5', 'So it is.', '+47 %']) {
      expect(words).toContain(part);
    }
  });
});

describe.skipIf(!hasChromium)('the deck and the site in a browser', () => {
  let browser: Browser;

  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu'] });
  });

  afterAll(() => browser.close());

  it('the site shows its text and its chart', async () => {
    const page = await browser.newPage();
    await page.goto(`file://${folder}/site/index.html`);
    expect(await page.locator('h1').innerText()).toBe('Sales 2026');
    expect(await page.evaluate('document.images[0].naturalWidth')).toBe(640);
    await page.close();
  });

  it('the deck turns its pages, prints one per slide, logs no error, and loads nothing', async () => {
    const page = await browser.newPage({ viewport: { width: 1280, height: 720 } });
    const complaints: string[] = [];
    page.on('console', (message) => complaints.push(message.text()));
    page.on('pageerror', (error) => complaints.push(String(error)));
    const loaded: string[] = [];
    page.on('request', (request) => loaded.push(request.url().slice(0, 30)));
    await page.goto(`file://${folder}/deck.html`);
    expect(await page.locator('section:visible').count()).toBe(1);
    await page.keyboard.press('End');
    expect(await page.locator('section:visible h2').innerText()).toBe('In short');
    await page.keyboard.press('ArrowLeft');
    expect(await page.locator('nav output').innerText()).toBe(`${slides.length - 1} / ${slides.length}`);
    // Text that is wider than its frame would be cut off or lie over something else.
    const spilled = await page.evaluate(`[...document.querySelectorAll('.text')].filter((text) => {
      text.closest('section').classList.add('on');
      return text.scrollWidth > text.clientWidth + 2 || text.scrollHeight > text.clientHeight + 6;
    }).map((text) => text.textContent)`);
    expect(spilled).toEqual([]);
    const pictures = await page.evaluate('[...document.images].map((image) => image.complete && image.naturalWidth > 0)');
    expect(pictures).toEqual([true, true, true]);
    const output = join(createFolder('print'), 'deck.pdf');
    await page.pdf({ path: output, preferCSSPageSize: true, printBackground: true });
    if (hasOffice) expect(await countPages(output)).toBe(slides.length);
    expect(complaints).toEqual([]);
    expect(loaded.every((url) => url.startsWith('file:') || url.startsWith('data:'))).toBe(true);
    await page.close();
  });
});
