import { describe, expect, it } from 'vitest';
import type { McpHttpClient } from '../mcp-client.ts';
import { callApi } from './call-api.ts';

describe('a redirect of an API', () => {
  /** The texts of the answer to a read that is redirected once. */
  async function callTo(location: string) {
    const replies = [
      { status: 302, headers: { location }, body: Buffer.alloc(0), isTruncated: false },
      { status: 200, headers: { 'content-type': 'text/plain' }, body: Buffer.from('there'), isTruncated: false },
    ];
    const client = {
      httpClient: { request: () => Promise.resolve(replies.shift()) },
      allowHttp: false,
    } as unknown as McpHttpClient;
    const request = { method: 'get' as const, path: '/pets', parameters: [], body: null };
    const tool = { name: 'pets', description: '', inputSchema: {}, isReadOnly: true, request };
    const address = { baseUrl: 'https://api.example/v1', access: { keysIn: 'header' as const }, keys: {}, owner: 'me' };
    const { signal } = new AbortController();
    const { content } = await callApi(client, address, { tool, input: {}, signal, traceparent: null });
    return content;
  }

  it('is followed below its address', async () => {
    expect(await callTo('/v1/animals')).toEqual([{ type: 'text', text: 'there' }]);
  });

  it.each([
    ['/admin', 'it redirects elsewhere, and calls stay below https://api.example/v1'],
    ['/v1/..%2Fadmin', 'it redirects elsewhere'],
    ['https://other.example/v1', 'it redirects to other.example'],
  ])('to %s is refused', async (location, problem) => {
    await expect(callTo(location)).rejects.toThrow(problem);
  });
});
