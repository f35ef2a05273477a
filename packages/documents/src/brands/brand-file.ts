import { Fault } from '@errand/base/fault.ts';
import type { GeneratorOutcome, ReadFile } from '../generator-outcome.ts';
import { checkFont } from './font-check.ts';
import { checkLogo } from './logo-check.ts';
import { openTemplate } from './template-check.ts';
import { readTemplateLook } from './template-look.ts';

/** A file that is to become part of a brand; `look` reads a template's colors, fonts, and logo. */
export interface BrandFileJob {
  kind: 'logo' | 'font' | 'template' | 'look';
  /** The largest logo that is found in a template, in bytes. */
  logoBytes: number;
}

/** The only file of the outcome: what was found, as JSON. */
const findingsPath = 'findings.json';

async function examine({ kind, logoBytes }: BrandFileJob, bytes: Uint8Array): Promise<object> {
  if (kind === 'logo') return { form: await checkLogo(bytes) };
  if (kind === 'font') return { form: checkFont(bytes) };
  const { form, template } = openTemplate(bytes);
  if (kind === 'template') return { form };
  const { logo, ...look } = await readTemplateLook(template, logoBytes);
  const shown = logo && { form: logo.form, base64: Buffer.from(logo.content).toString('base64') };
  return { form, ...look, ...(shown && { logo: shown }) };
}

/** The tools name a field `path`, which requests for brands do not have. */
function withoutField(message: string): string {
  return message.replace(/^(path|image): /, '').replace(/^"the logo" /, '');
}

/** Examines a file of a stranger. Throws a Fault that says what is wrong with it, without the name of a field. */
export async function examineBrandFile(job: BrandFileJob, readFile: ReadFile): Promise<GeneratorOutcome> {
  const bytes = await readFile('');
  try {
    const findings = await examine(job, bytes);
    return { files: [{ path: findingsPath, bytes: Buffer.from(JSON.stringify(findings)) }], notes: [] };
  } catch (error) {
    if (!(error instanceof Fault) || error.code === 'internal') throw error;
    throw new Fault('invalid_argument', withoutField(error.message));
  }
}
