import type { BrowserState } from './watch-browser.ts';

/** How far a page has come with taking the browser over. */
export type TakeRequest = 'none' | 'asked' | 'held' | 'refused';

/** The service does not say that it refuses: who does not have the browser after this time does not get it. */
export const refusedAfterMs = 5_000;

/** The request after the service has said who drives. A browser that was held and is not anymore must be asked for again. */
export function followRequest(request: TakeRequest, driver: BrowserState['driver']): TakeRequest {
  if (driver === 'you') return 'held';
  return driver === 'agent' && request !== 'held' ? request : 'none';
}
