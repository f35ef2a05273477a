/** A file with its place in the folder that was picked. */
export interface FolderFile {
  path: string;
  bytes: Uint8Array;
}

/** What operating systems and version control put into folders, which no skill needs. */
const unwanted = /(^|\/)(\.DS_Store|Thumbs\.db|desktop\.ini|\.git|__MACOSX|node_modules)(\/|$)/;

/** The paths of a picked folder as they are inside of it: without its own name, and without what no skill needs. */
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

/** A zip as the API takes it. */
export function packZip(file: Blob): Promise<string> {
  return readAsDataUri(new Blob([file], { type: 'application/zip' }));
}

/** A picked folder as a zip as the API takes it. */
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
