import { SaxesParser } from 'saxes';
import { PreviewFault } from './preview-fault.ts';

/**
 * Rejects XML that is malformed or declares entities: these could expand without limit, and when the browser's own parser fails, it renders
 * an error page with styles that our policy forbids. Throws a `PreviewFault`.
 */
export function checkXml(text: string): void {
  const parser = new SaxesParser();
  parser.on('error', (error) => {
    throw new PreviewFault('broken', error);
  });
  parser.on('doctype', () => {
    throw new PreviewFault('broken');
  });
  parser.write(text).close();
}
