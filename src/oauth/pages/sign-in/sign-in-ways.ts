import type { SignInWays } from '../../request/web-request.ts';

/** The identity provider, or null for none. */
export function describeProvider({ sso }: SignInWays): { name: string; issuer: string } | null {
  return sso && { name: sso.settings.name, issuer: sso.settings.issuer.replace(/\/$/, '') };
}
