import type { Visitor } from './session-service.ts';
import type { Texts } from '../layout/page-texts-en.ts';
import type { WebAnswer, WebRequest } from '../../request/web-request.ts';

/** A request for a page. */
export interface PageRequest extends WebRequest {
  /** The signed-in user of the browser, or null. */
  visitor: Visitor | null;
  /** The texts in the user's language. */
  texts: Texts;
}

export type PageHandler = (request: PageRequest) => Promise<WebAnswer>;
