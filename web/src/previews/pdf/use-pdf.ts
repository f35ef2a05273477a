import { useEffect, useState } from 'react';
import { openPdf, type PdfDocument } from './open-pdf.ts';

/** An open PDF file, or why it cannot be opened. */
export interface PdfOpening {
  document?: PdfDocument;
  problem?: unknown;
}

/** Opens a PDF file and closes it on unmount; null before it is open. */
export function usePdf(bytes: Uint8Array | undefined): PdfOpening | null {
  const [opened, setOpened] = useState<PdfOpening | null>(null);
  useEffect(() => {
    if (!bytes) return undefined;
    let isWanted = true;
    let document: PdfDocument | null = null;
    // The library takes ownership of the bytes.
    openPdf(bytes.slice()).then(
      (opening) => {
        if (!isWanted) return opening.close();
        document = opening;
        return setOpened({ document });
      },
      (problem: unknown) => isWanted && setOpened({ problem }),
    );
    return () => {
      isWanted = false;
      document?.close();
      setOpened(null);
    };
  }, [bytes]);
  return opened;
}
