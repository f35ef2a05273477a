import type { Visitor } from './session-service.ts';
import type { Texts } from '../layout/page-texts-en.ts';
import type { WebAnswer, WebRequest } from '../../request/web-request.ts';

/** A request of somebody who looks at a page. */
export interface PageRequest extends WebRequest {
  /** Who is signed in at the browser; null for nobody. */
  visitor: Visitor | null;
  /** The words in which it is answered. */
  texts: Texts;
}

export type PageHandler = (request: PageRequest) => Promise<WebAnswer>;
