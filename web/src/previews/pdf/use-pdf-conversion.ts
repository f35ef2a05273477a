import { useQuery } from '@tanstack/react-query';
import { fetchFile } from '../files/file-fetch.ts';
import { PreviewFault } from '../files/preview-fault.ts';
import type { PreviewFile } from '../files/preview-file.ts';
import type { FileReading } from '../files/use-file.ts';

const maxBytes = 64_000_000;
/** A conversion may take a minute if others are queued. */
const mostTries = 10;
const retryIntervalMs = 2_500;

/** The URL of an office file converted to PDF. */
export function pdfUrl(url: string): string {
  return `${url}&as=pdf`;
}

/** The PDF of an office file, which the service converts on first request. */
export function usePdfConversion({ url }: Pick<PreviewFile, 'url'>): FileReading<Uint8Array> {
  const { data, error } = useQuery({
    queryKey: ['file', 'print', url],
    queryFn: async ({ signal }) => (await fetchFile(pdfUrl(url), { maxBytes, signal })).bytes,
    retry: (failures, failure) => failures < mostTries && failure instanceof PreviewFault && failure.trouble === 'busy',
    retryDelay: retryIntervalMs,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 30_000,
    refetchOnWindowFocus: false,
    structuralSharing: false,
  });
  return { value: data, error };
}
