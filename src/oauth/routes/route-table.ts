/** Pages report errors to people in HTML, endpoints to applications as in RFC 6749. */
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

/** Every path of this module. A separate table, so that the handlers are loaded with the first request for one. */
export const webRoutes: readonly WebRoute[] = [
  endpoint('GET', '/.well-known/oauth-authorization-server'),
  endpoint('GET', '/.well-known/openid-configuration'),
  endpoint('GET', '/.well-known/oauth-protected-resource/mcp'),
  // The metadata of the API, also for clients that look at the root.
  endpoint('GET', '/.well-known/oauth-protected-resource'),
  endpoint('POST', '/oauth/token'),
  endpoint('POST', '/oauth/revoke'),
  endpoint('POST', '/oauth/device_authorization'),
  ...page('/oauth/authorize', 'GET', 'POST'),
  // The path known to older applications.
  ...page('/openapi/oauth', 'GET', 'POST'),
  ...page('/sign-in', 'GET', 'POST'),
  // Both steps in one.
  ...page('/sign-in/passkey', 'POST'),
  // The second step.
  ...page('/sign-in/code', 'GET', 'POST'),
  // For people who were invited and have no account.
  ...page('/sign-in/join', 'GET', 'POST'),
  // To the OpenID Connect provider and back.
  ...page('/sign-in/oidc', 'GET'),
  ...page('/sign-in/oidc/callback', 'GET'),
  // For people who forgot their password.
  ...page('/sign-in/forgot', 'GET', 'POST'),
  ...page('/sign-in/password', 'GET', 'POST'),
  ...page('/sign-out', 'POST'),
  ...page('/set-up', 'GET', 'POST'),
  // Redirect target for connector sign-ins.
  ...page('/settings/connectors/callback', 'GET'),
  ...signedInPaths.flatMap((path) => page(path, 'GET', 'POST')),
];
