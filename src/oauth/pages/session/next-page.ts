/**
 * Where the user was going before signing in: a path of this service, and never another host, which some browsers would read
 * out of two slashes or a backslash. Anything else is the first page.
 */
export function readNext(next: string | undefined): string {
  if (next === undefined || next.length > 8000 || !/^\/(?![/\\])[!-[\]-~]*$/.test(next)) return '/';
  return next;
}

/** The sign-in page that continues to a path. */
export function signInPath(next: string): string {
  return next === '/' ? '/sign-in' : `/sign-in?next=${encodeURIComponent(next)}`;
}
