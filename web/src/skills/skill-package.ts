/** A file with its path in the selected folder. */
export interface FolderFile {
  path: string;
  bytes: Uint8Array;
}

/** Files added by operating systems and version control, which no skill needs. */
const unwanted = /(^|\/)(\.DS_Store|Thumbs\.db|desktop\.ini|\.git|__MACOSX|node_modules)(\/|$)/;

/** The paths of a selected folder relative to it, without files that no skill needs. */
export function listPackagePaths(paths: readonly string[]): { from: string; to: string }[] {
  return paths
    .map((from) => ({ from, to: from.split('/').slice(1).join('/') }))
    .filter(({ to }) => to !== '' && !unwanted.test(to));
}

function readAsDataUri(blob: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener('load', () => resolve(reader.result as string));
    reader.addEventListener('error', () => reject(reader.error ?? new Error('the file could not be read')));
    reader.readAsDataURL(blob);
  });
}

/** A zip in the format of the API. */
export function packZip(file: Blob): Promise<string> {
  return readAsDataUri(new Blob([file], { type: 'application/zip' }));
}

/** A selected folder as a zip in the format of the API. */
export async function packFolder(files: readonly File[]): Promise<string> {
  const { zipSync } = await import('fflate');
  const byPath = new Map(files.map((file) => [file.webkitRelativePath, file]));
  const wanted = listPackagePaths([...byPath.keys()]);
  const entries = await Promise.all(
    wanted.map(
      async ({ from, to }) => [to, new Uint8Array((await byPath.get(from)?.arrayBuffer()) ?? new ArrayBuffer())] as const,
    ),
  );
  const zip = zipSync(Object.fromEntries(entries));
  return packZip(new Blob([new Uint8Array(zip)]));
}
