import { packOffice, wordParts } from '../files/office-samples.ts';
import { workbookParts } from '../files/workbook-samples.ts';
import type { Json, ServiceClient } from '../service/service-client.ts';

/** What is in the bytes of each file of the brand: the names of parts are not packed. */
const markedBy = (canary: string) => ({
  logo: Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><title>${canary}-logo</title><path d="M0 0h9v9z"/></svg>`,
  ),
  docx: Buffer.from(packOffice(wordParts('<w:p/>', { [`customXml/${canary}-docx.xml`]: '<a/>' }))),
  xlsx: Buffer.from(packOffice(workbookParts({ [`customXml/${canary}-xlsx.xml`]: '<a/>' }))),
});

/** What the canaries in a furnished brand are, each in one place alone. */
export function listBrandCanaries(canary: string): string[] {
  return [`${canary}-name`, `${canary}-logo`, `${canary}-docx`, `${canary}-xlsx`, `${canary}-foot`];
}

async function upload(client: ServiceClient, filename: string, content: Buffer): Promise<string> {
  const { file, upload_url: url } = (await client.ask('file.upload', { filename })) as { file: Json; upload_url: string };
  const answer = await fetch(url, { method: 'PUT', body: new Uint8Array(content) });
  if (answer.status !== 200) throw new Error(`the upload of ${filename} was answered ${answer.status}`);
  return String(file['id']);
}

/** Sets a brand with a logo and two templates. */
export async function furnishBrand(client: ServiceClient, scope: Json, canary: string): Promise<void> {
  const content = markedBy(canary);
  const logo = await upload(client, 'logo.svg', content.logo);
  const docx = await upload(client, 'letter.docx', content.docx);
  const xlsx = await upload(client, 'plan.xlsx', content.xlsx);
  await client.ask('brand.set', {
    ...scope,
    ...{ name: `${canary}-name`, footer: `${canary}-foot`, colors: { accent: '#b3002d' }, fonts: { heading: 'Manrope' } },
    ...{ logo, templates: { docx, xlsx } },
  });
}
