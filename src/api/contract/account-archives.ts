import type { ArchiveManifest } from '../../store/account-archive/archive-manifest.ts';

export interface ImportRequest {
  /** The archive, on this machine. */
  file: string;
  /** The address of the account, in place of the one in the archive; null keeps it. */
  email: string | null;
  actor: string;
  signal: AbortSignal;
}

/** Exports of accounts as one file, and their imports. */
export interface AccountArchives {
  /** The archive of an account, made while it is read. Throws 503 if too many are being made. */
  open(accountId: string): AsyncGenerator<Uint8Array, ArchiveManifest>;
  /** Writes it to a new file of this machine. */
  write(accountId: string, file: string, signal: AbortSignal): Promise<ArchiveManifest>;
  /** Stores an account from such a file, or nothing. Throws 400 and 409. */
  import(request: ImportRequest): Promise<ArchiveManifest>;
}
