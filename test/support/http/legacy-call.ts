import type { ApiUnderTest, Json } from './api-under-test.ts';

export interface LegacyCall {
  method?: string;
  body?: unknown;
  headers?: Record<string, string>;
}

/** A call as made by v1 clients. */
export async function askLegacy(api: ApiUnderTest, path: string, { method = 'GET', body, headers }: LegacyCall = {}) {
  const response = await fetch(`${api.http.url()}${path}`, {
    method,
    headers: headers ?? { API_KEY: api.owner.key, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: text === '' ? null : (JSON.parse(text) as Json) };
}
