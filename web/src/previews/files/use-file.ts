import { useQuery } from '@tanstack/react-query';
import { fetchFile, type FetchOptions } from './file-fetch.ts';
import type { PreviewFile } from './preview-file.ts';

export interface FileReading<Value> {
  value: Value | undefined;
  error: Error | null;
}

/** Fetches and parses a file, once for each URL. `name` distinguishes different previews of the same file. */
export function useFile<Value>(
  name: string,
  { url }: Pick<PreviewFile, 'url'>,
  { maxBytes, canCut = false }: Pick<FetchOptions, 'maxBytes' | 'canCut'>,
  read: (bytes: Uint8Array<ArrayBuffer>, isCut: boolean, signal: AbortSignal) => Promise<Value> | Value,
): FileReading<Value> {
  const { data, error } = useQuery({
    queryKey: ['file', name, url],
    queryFn: async ({ signal }) => {
      const { bytes, isCut } = await fetchFile(url, { maxBytes, canCut, signal });
      return read(bytes, isCut, signal);
    },
    staleTime: Number.POSITIVE_INFINITY,
    // The parsed data may be large; it is only cached while it is shown and shortly after.
    gcTime: 30_000,
    refetchOnWindowFocus: false,
    structuralSharing: false,
  });
  return { value: data, error };
}
