import { SaxesParser } from 'saxes';
import { PreviewFault } from './preview-fault.ts';

/**
 * Refuses XML that is not well made, or that declares what it means by itself: entities could grow without an end, and where the
 * browser's own parser fails it writes a page of its own, with styles that the policy forbids. Throws a `PreviewFault`.
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
