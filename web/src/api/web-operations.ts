/** The signed-in person, and what the pages need to know of the service from the start. */
export interface Session {
  account: { id: string; email: string; name?: string; plan?: string; locale?: string };
  team?: { id: string; name: string; role: 'owner' | 'admin' | 'member' } | null;
}

/** Operations of the service's own pages: what each takes and answers, without the envelope. */
export interface WebOperations {
  'session.show': { request: Record<string, never>; response: Session };
  'session.delete': { request: Record<string, never>; response: Record<string, never> };
  'account.update': { request: { locale?: string }; response: Record<string, never> };
}

export const webMethods = {
  'session.show': 'GET',
  'session.delete': 'POST',
  'account.update': 'POST',
} as const satisfies Record<keyof WebOperations, 'GET' | 'POST'>;
