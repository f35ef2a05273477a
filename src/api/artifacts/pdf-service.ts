/** A blob that an office program opens. */
export interface PdfRequest {
  accountId: string;
  blobId: string;
  /** How large it is. */
  bytes: number;
  /** Under which the program knows it: `pptx`. */
  ending: string;
}

/** The pages of it, as a PDF file of this machine that is there for now. */
export interface PdfFile {
  path: string;
  bytes: number;
}

/** Makes pages of office files. */
export interface PdfService {
  /**
   * The pages of a file, made once and kept for a while. Rejects with a Fault: `failed_precondition` where no program makes them,
   * `unavailable` while they are still being made (ask again), `invalid_argument` for a file that cannot be opened, `payload_too_large`.
   */
  convert(order: PdfRequest): Promise<PdfFile>;
}
