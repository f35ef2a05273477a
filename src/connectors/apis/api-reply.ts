import type { OutboundReply } from '@errand/base/net/safe-fetch.ts';
import type { McpResult } from '../mcp-client.ts';
import { hideKeys } from './hide-keys.ts';

type Reply = Pick<OutboundReply, 'status' | 'headers' | 'body'>;
type Keys = Readonly<Record<string, string>>;

const longestProblem = 4000;

function decode(body: Buffer, type: string): string {
  const [, charset = 'utf-8'] = /charset="?([\w-]+)/i.exec(type) ?? [];
  try {
    return new TextDecoder(charset).decode(body);
  } catch {
    return body.toString('utf8');
  }
}

function isText(type: string, body: Buffer): boolean {
  if (/^text\/|[/+](json|xml|yaml|x-yaml|javascript|x-www-form-urlencoded|csv|graphql)\b|ndjson/i.test(type)) return true;
  return type === '' && !body.subarray(0, 1024).includes(0);
}

/** What the model can do about a status. */
function advise(status: number, headers: Reply['headers'], isRead: boolean): string {
  if (status === 401) {
    return 'It does not accept the key of this connector. Do not try again: only the user can replace it, on the page /connectors.';
  }
  if (status === 403)
    return 'The key of this connector may not do this. Only the user can change that, at the provider of the API.';
  if (status === 404) return 'Check the identifiers in the call; what it names may not exist.';
  if (status === 429) {
    const wait = /^\d{1,6}$/.test(headers['retry-after'] ?? '')
      ? ` Wait ${headers['retry-after'] ?? ''} seconds before the next call.`
      : '';
    return `It has had too many calls.${wait}`;
  }
  if (status >= 500 && !isRead) return 'The fault is on its side, and the change may have been made. Look before you try again.';
  if (status >= 500) return 'The fault is on its side. Try once more later, or go on without it.';
  if (status >= 400) return 'Change the call as it says.';
  return 'It sends this call elsewhere, and calls are not sent on.';
}

/** A body of text without keys; null for any other. */
function readText({ headers, body }: Reply, keys: Keys): string | null {
  const type = headers['content-type'] ?? '';
  return isText(type, body) ? hideKeys(decode(body, type), keys) : null;
}

function readBody(reply: Reply, keys: Keys): McpResult['content'][number] {
  const text = readText(reply, keys);
  if (text !== null) return { type: 'text', text };
  const mimeType = (reply.headers['content-type'] ?? '').split(';')[0]?.trim() || 'application/octet-stream';
  return { type: 'resource', resource: { uri: 'file', mimeType, blob: reply.body.toString('base64') } };
}

/** The answer of an API as a model reads it: without keys where it is text. Other bodies are left as they are, so that files stay whole. */
export function readReply(reply: Reply, call: string, keys: Keys): McpResult {
  const { status, headers, body } = reply;
  if (status < 300) {
    return { content: body.length === 0 ? [{ type: 'text', text: `${status}, without content.` }] : [readBody(reply, keys)] };
  }
  const shown = readText(reply, keys)?.slice(0, longestProblem) ?? '';
  const text = [
    `The API answers ${status} to ${call}. ${advise(status, headers, call.startsWith('GET '))}`,
    shown.toWellFormed(),
  ].filter((each) => each !== '');
  return { isError: true, content: [{ type: 'text', text: text.join('\n') }] };
}
