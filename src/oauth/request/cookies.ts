/**
 * Cookies of the pages. Over https their names start with `__Host-`, so that neither another host nor a path of this one can set them. Over
 * http, for local use and tests, browsers disagree on whether to accept such names or `Secure`.
 */
export interface CookieJar {
  read(header: string | undefined, name: CookieName): string | null;
  /** A `set-cookie` line; without seconds it is a session cookie. */
  write(name: CookieName, value: string, maxAgeS?: number): string;
  remove(name: CookieName): string;
}

/** The session, the form token of a visitor, the ticket of a sign-in at a provider, and the token of one that waits for its second step. */
export type CookieName = 'errand_session' | 'errand_form' | 'errand_sso' | 'errand_step';

export function createCookieJar(publicUrl: string): CookieJar {
  const isSecure = publicUrl.startsWith('https:');
  const fullName = (name: CookieName) => (isSecure ? `__Host-${name}` : name);
  const rules = `Path=/; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`;
  return {
    read(header, name) {
      const wanted = `${fullName(name)}=`;
      const found = (header ?? '')
        .split(';')
        .map((pair) => pair.trim())
        .filter((pair) => pair.startsWith(wanted));
      // If there are two, an attacker may have planted one.
      return found.length === 1 ? (found[0]?.slice(wanted.length) ?? null) : null;
    },
    write: (name, value, maxAgeS) => `${fullName(name)}=${value}; ${rules}${maxAgeS === undefined ? '' : `; Max-Age=${maxAgeS}`}`,
    remove: (name) => `${fullName(name)}=; ${rules}; Max-Age=0`,
  };
}
