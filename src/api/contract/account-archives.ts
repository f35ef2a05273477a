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
  /** The archive of an account, made while it is read. Throws 503 if too many are in progress. */
  open(accountId: string): AsyncGenerator<Uint8Array, ArchiveManifest>;
  /** Writes an archive to a new file on this machine. */
  write(accountId: string, file: string, signal: AbortSignal): Promise<ArchiveManifest>;
  /** Imports an account from such a file completely or not at all. Throws 400 and 409. */
  import(request: ImportRequest): Promise<ArchiveManifest>;
}
