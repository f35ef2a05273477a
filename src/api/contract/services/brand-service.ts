import type { BrandFile } from '../../../rules/brands/brand.ts';
import type { TemplateFindings } from '../../../rules/brands/brand-proposal.ts';

/** What a file is used for in a brand. */
export type BrandFileKind = 'logo' | 'font' | 'template';

/** An uploaded file, and the caller who waits for it. */
export interface BrandUpload {
  accountId: string;
  blobId: string;
  signal: AbortSignal;
}

/** Examines files of brands in isolation, because they are untrusted. */
export interface BrandService {
  /** The detected type of a file. Rejects with a 400 that says why it cannot be used, without the name of a field. */
  examine(kind: BrandFileKind, upload: BrandUpload): Promise<BrandFile['form']>;
  /** The look of a template. Rejects like `examine`. */
  readTemplate(upload: BrandUpload): Promise<TemplateFindings>;
  /** The logo of a brand as a data URI; null if its bytes are gone. */
  readLogo(accountId: string, logo: BrandFile): Promise<string | null>;
}
