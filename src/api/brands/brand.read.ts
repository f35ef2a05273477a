import { z } from 'zod';
import { brandLimits } from '../../rules/brands/brand.ts';
import { proposeBrand } from '../../rules/brands/brand-proposal.ts';
import { defineOperation } from '../contract/operation.ts';
import { fileId } from '../files/file-key.ts';
import { shownColors } from './brand-object.ts';
import { findUpload, nameField } from './brand-upload.ts';

const types = { svg: 'image/svg+xml', png: 'image/png' } as const;

export const brandRead = defineOperation('POST', 'brand.read', {
  summary: 'Reads colors, fonts, and the logo out of a Word, PowerPoint, or Excel template, as a proposal. Nothing is set.',
  details: 'Confirm the proposal with brand.set; the logo has to be uploaded for that.',
  access: 'all_tasks',
  request: z.object({ file_id: fileId }),
  response: z.object({
    type: z.enum(['docx', 'pptx', 'xlsx']).meta({ description: 'What the template is for.' }),
    colors: shownColors.meta({
      description: 'The colors of the template, without those that could not be read on the background.',
    }),
    fonts: z.object({ heading: z.string().optional(), text: z.string().optional() }),
    missing_fonts: z.array(z.string()).meta({ description: 'Fonts of the template that have to be uploaded to be used.' }),
    logo: z
      .object({ type: z.enum(['svg', 'png']), data_uri: z.string() })
      .nullable()
      .meta({ description: 'A picture of its header or master; null if none was found.' }),
  }),
  async handle({ file_id }, context) {
    const upload = await findUpload('file_id', file_id, brandLimits.templateBytes, context);
    const findings = await nameField('file_id', context.brands.readTemplate(upload));
    const { colors, fonts, missingFonts, logo } = proposeBrand(findings);
    return {
      type: findings.form,
      colors: { ...colors, chart: [...colors.chart] },
      fonts,
      missing_fonts: missingFonts,
      logo: logo && { type: logo.form, data_uri: `data:${types[logo.form]};base64,${logo.base64}` },
    };
  },
});
