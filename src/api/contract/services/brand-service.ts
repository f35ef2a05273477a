import type { BrandFile } from '../../../rules/brands/brand.ts';
import type { TemplateFindings } from '../../../rules/brands/brand-proposal.ts';

/** What a file of a brand is to be. */
export type BrandFileKind = 'logo' | 'font' | 'template';

/** An uploaded file, and who waits for it. */
export interface BrandUpload {
  accountId: string;
  blobId: string;
  signal: AbortSignal;
}

/** Examines files of brands, apart from everything else: they come from strangers. */
export interface BrandService {
  /** What the file was found to be. Rejects with a 400 that says why it cannot be used, without the name of a field. */
  examine(kind: BrandFileKind, upload: BrandUpload): Promise<BrandFile['form']>;
  /** The look of a template. Rejects likewise. */
  readTemplate(upload: BrandUpload): Promise<TemplateFindings>;
  /** The logo of a brand as a data URI; null if its bytes are gone. */
  readLogo(accountId: string, logo: BrandFile): Promise<string | null>;
}
