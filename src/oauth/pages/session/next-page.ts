/**
 * Where to continue after sign-in: a path of this service, and never another host, which some browsers would infer from two slashes or a
 * backslash. Anything else becomes the home page.
 */
export function readNext(next: string | undefined): string {
  if (next === undefined || next.length > 8000 || !/^\/(?![/\\])[!-[\]-~]*$/.test(next)) return '/';
  return next;
}

function leadTo(page: string, next: string): string {
  return next === '/' ? page : `${page}?next=${encodeURIComponent(next)}`;
}

/** The sign-in page that continues to a path. */
export const signInPath = (next: string): string => leadTo('/sign-in', next);

/** The set-up page that continues to a path. */
export const setUpPath = (next: string): string => leadTo('/set-up', next);
