/** Pages are for people and say in HTML what is wrong, endpoints are for applications and say it as RFC 6749 does. */
export type RouteKind = 'page' | 'endpoint';

export interface WebRoute {
  method: 'GET' | 'POST';
  path: string;
  kind: RouteKind;
}

function page(path: string, ...methods: WebRoute['method'][]): WebRoute[] {
  return methods.map((method) => ({ method, path, kind: 'page' }));
}

function endpoint(method: WebRoute['method'], path: string): WebRoute {
  return { method, path, kind: 'endpoint' };
}

/** Pages for signed-in users. */
export const signedInPaths = ['/device', '/sign-in/link', '/oauth-apps/connector-consent'] as const;

/** Every path of this module. A separate table, so that the handlers are loaded when the first of them is asked for. */
export const webRoutes: readonly WebRoute[] = [
  endpoint('GET', '/.well-known/oauth-authorization-server'),
  endpoint('GET', '/.well-known/openid-configuration'),
  endpoint('GET', '/.well-known/oauth-protected-resource/mcp'),
  // Where those look who do not take the path along.
  endpoint('GET', '/.well-known/oauth-protected-resource'),
  endpoint('POST', '/oauth/token'),
  endpoint('POST', '/oauth/revoke'),
  endpoint('POST', '/oauth/device_authorization'),
  ...page('/oauth/authorize', 'GET', 'POST'),
  // The address that older applications know.
  ...page('/openapi/oauth', 'GET', 'POST'),
  ...page('/sign-in', 'GET', 'POST'),
  // To the provider of OpenID Connect, and back from it.
  ...page('/sign-in/oidc', 'GET'),
  ...page('/sign-in/oidc/callback', 'GET'),
  ...page('/sign-out', 'POST'),
  ...page('/set-up', 'GET', 'POST'),
  // Where servers of connectors send the browser back to.
  ...page('/settings/connectors/callback', 'GET'),
  ...signedInPaths.flatMap((path) => page(path, 'GET', 'POST')),
];
