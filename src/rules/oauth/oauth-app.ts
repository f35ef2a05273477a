import { invalidField } from '@errand/base/fault.ts';
import { type Scope, scopes as allScopes } from '../accounts/access.ts';
import type { AppKind } from './oauth-policy.ts';
import { isScope } from './oauth-scopes.ts';
import { type ApplicationType, findRedirectProblem, findTypeProblem, maxRedirectUris } from './redirect-uri.ts';
import { toOneLine } from '@errand/base/text/one-line.ts';

const maxNameLength = 100;

/** The metadata of an application, set by its owner. */
export interface AppInput {
  name: string;
  homepage?: string | null | undefined;
  redirectUris: readonly string[];
  scopes: readonly string[];
  applicationType: ApplicationType | null;
}

export interface AppFields {
  name: string;
  homepage: string | null;
  redirectUris: string[];
  scopes: Scope[];
  applicationType: ApplicationType | null;
}

function readName(name: string): string {
  const clean = toOneLine(name);
  if (clean === '') throw invalidField('name', 'must not be empty');
  if (Array.from(clean).length > maxNameLength) throw invalidField('name', `must have at most ${maxNameLength} characters`);
  return clean;
}

function readHomepage(homepage: string | null | undefined): string | null {
  if (homepage === null || homepage === undefined || homepage === '') return null;
  if (homepage.length <= 2000 && /^https?:\/\//i.test(homepage) && URL.canParse(homepage)) return new URL(homepage).href;
  throw invalidField('homepage', 'must be an address that begins with https: or http:');
}

function readRedirectUris(uris: readonly string[], type: ApplicationType | null): string[] {
  const unique = [...new Set(uris)];
  if (unique.length === 0) throw invalidField('redirect_uris', 'must name at least one address');
  if (unique.length > maxRedirectUris) throw invalidField('redirect_uris', `must be at most ${maxRedirectUris}`);
  for (const uri of unique) {
    const problem = findRedirectProblem(uri) ?? (type && findTypeProblem(uri, type));
    if (problem !== null) throw invalidField('redirect_uris', `${uri.slice(0, 100).toWellFormed()} ${problem}`);
  }
  return unique;
}

function readScopes(scopes: readonly string[]): Scope[] {
  const words = scopes.flatMap((text) => text.split(/[\s,]+/)).filter((word) => word !== '');
  const unknown = words.find((word) => !isScope(word));
  if (unknown !== undefined) {
    throw invalidField('scopes', `${unknown.slice(0, 50).toWellFormed()} does not exist; there are ${allScopes.join(', ')}`);
  }
  if (words.length === 0) throw invalidField('scopes', `must be at least one of ${allScopes.join(', ')}`);
  return allScopes.filter((scope) => words.includes(scope));
}

/** Validates and normalizes an application's metadata. Throws 400 `invalid_argument` naming the field. */
export function readAppFields({ name, homepage, redirectUris, scopes, applicationType }: AppInput): AppFields {
  return {
    name: readName(name),
    homepage: readHomepage(homepage),
    redirectUris: readRedirectUris(redirectUris, applicationType),
    scopes: readScopes(scopes),
    applicationType,
  };
}

/** The kind of an application that is trusted by a team, by everyone or by no one. A trusted one must keep a secret. */
export function readAppKind(trusted: 'team' | 'public' | null, isPublic: boolean): AppKind {
  if (trusted === null) return 'team';
  if (isPublic) throw invalidField('public_client', 'a trusted application must be able to keep a secret');
  return trusted === 'team' ? 'trusted_team' : 'trusted_public';
}
