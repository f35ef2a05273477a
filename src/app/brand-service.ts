import type { Clock } from '@errand/base/clock.ts';
import { Fault } from '@errand/base/fault.ts';
import type { BrandService, BrandUpload } from '../api/contract/services/brand-service.ts';
import { type BrandFile, brandLimits } from '../rules/brands/brand.ts';
import type { TemplateFindings } from '../rules/brands/brand-proposal.ts';
import { BlobMissing } from '../store/blobs/blob-store.ts';
import type { Blobs } from '../store/blobs/blobs.ts';

type Kind = 'logo' | 'font' | 'template' | 'look';

/** All bytes of a blob. Rejects with `BlobMissing`. */
export async function readBytes(blobs: Pick<Blobs, 'open'>, accountId: string, blobId: string): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of await blobs.open(accountId, blobId)) pieces.push(Buffer.from(piece as Uint8Array));
  return Buffer.concat(pieces);
}

/** Loads the generators with the first job; most processes that answer HTTP never need them. */
export async function loadGenerators(clock: Clock) {
  const { createGenerators } = await import('@errand/documents');
  return createGenerators(clock);
}

/** Examines files of brands in threads of their own. Their sizes are limited before they are read. */
export function createBrandService(blobs: Pick<Blobs, 'open'>, clock: Clock): BrandService {
  let generators: ReturnType<typeof loadGenerators> | null = null;
  const examine = async (kind: Kind, { accountId, blobId, signal }: BrandUpload): Promise<unknown> => {
    const bytes = await readBytes(blobs, accountId, blobId).catch((error: unknown) => {
      throw error instanceof BlobMissing ? new Fault('not_found', 'file not found') : error;
    });
    const call = { owner: accountId, signal, readFile: () => Promise.resolve(bytes) };
    const job = { kind, logoBytes: brandLimits.logoBytes };
    const { files } = await (await (generators ??= loadGenerators(clock))).make('brandFile', job, call);
    return JSON.parse(Buffer.from(files[0]?.bytes ?? []).toString());
  };
  return {
    examine: async (kind, upload) => ((await examine(kind, upload)) as Pick<BrandFile, 'form'>).form,
    readTemplate: async (upload) => (await examine('look', upload)) as TemplateFindings,
    async readLogo(accountId, { blobId, form }) {
      const type = form === 'svg' ? 'image/svg+xml' : 'image/png';
      const bytes = await readBytes(blobs, accountId, blobId).catch(() => null);
      return bytes && `data:${type};base64,${bytes.toString('base64')}`;
    },
  };
}
