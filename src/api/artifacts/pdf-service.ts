/** A blob to convert with an office program. */
export interface PdfRequest {
  accountId: string;
  blobId: string;
  /** How large it is. */
  bytes: number;
  /** Extension of the file for the program: `pptx`. */
  ending: string;
}

/** The converted PDF, a file on this machine that exists for now. */
export interface PdfFile {
  path: string;
  bytes: number;
}

/** Converts office files to PDF. */
export interface PdfService {
  /**
   * The PDF of a file, converted once and cached for a while. Rejects with a Fault: `failed_precondition` without a conversion program,
   * `unavailable` while the conversion is in progress (retry), `invalid_argument` for an unreadable file, `payload_too_large`.
   */
  convert(request: PdfRequest): Promise<PdfFile>;
}
