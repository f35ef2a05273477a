import { getDocument, type PDFDocumentProxy, PDFWorker } from 'pdfjs-dist';
// oxlint-disable-next-line import/default -- the build provides the URL of the file
import workerUrl from 'pdfjs-dist/build/pdf.worker.min.mjs?url';
import { PreviewFault } from '../files/preview-fault.ts';
import { startTrustedWorker } from '../files/trusted-worker.ts';
import { AssetFactory } from './pdf-assets.ts';

const openTimeoutMs = 20_000;

/** An open PDF file; `close` ends the worker that reads it. */
export interface PdfDocument {
  pdf: PDFDocumentProxy;
  /** Size of the first page in points, assumed for the others until they are drawn. */
  width: number;
  height: number;
  close(): void;
}

function explain(error: unknown): PreviewFault {
  const isLocked = error instanceof Error && error.name === 'PasswordException';
  return error instanceof PreviewFault ? error : new PreviewFault(isLocked ? 'locked' : 'broken', error);
}

/** Opens a PDF file in a worker. Scripts, forms and attachments in it are ignored. Rejects with a `PreviewFault`. */
export async function openPdf(bytes: Uint8Array): Promise<PdfDocument> {
  const port = startTrustedWorker(workerUrl);
  const worker = PDFWorker.create({ port });
  const task = getDocument({
    data: bytes,
    worker,
    BinaryDataFactory: AssetFactory,
    useWorkerFetch: false,
    cMapUrl: '/',
    standardFontDataUrl: '/',
    wasmUrl: '/',
    disableWorkerRendering: true,
    enableXfa: false,
    stopAtErrors: false,
    maxImageSize: 64_000_000,
    canvasMaxAreaInBytes: 256_000_000,
    verbosity: 0,
  });
  const end = () => {
    worker.destroy();
    port.terminate();
  };
  const close = () => void task.destroy().then(end, end);
  const timer = setTimeout(close, openTimeoutMs);
  try {
    const pdf = await task.promise;
    const { width, height } = (await pdf.getPage(1)).getViewport({ scale: 1 });
    return { pdf, width, height, close };
  } catch (error) {
    close();
    throw explain(error);
  } finally {
    clearTimeout(timer);
  }
}
