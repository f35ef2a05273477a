import type { Clock } from '@errand/base/clock.ts';
import { invalidField } from '@errand/base/fault.ts';
import type { Entrant } from '@errand/base/load/fair-gate.ts';
import { OutboundFault } from '@errand/base/net/outbound-fault.ts';
import { type ApiChoice, type ApiDocument, apiLimits, type ApiSource } from '../../rules/connectors/api-operation.ts';
import type { ConnectorTool } from '../../rules/connectors/connector.ts';
import type { McpHttpClient } from '../mcp-client.ts';
import { readDocument } from './api-document-thread.ts';

const accepted = 'application/json, application/yaml, application/vnd.oai.openapi+json, application/vnd.oai.openapi, */*;q=0.5';

async function fetchText({ httpClient, allowHttp }: McpHttpClient, url: string, { owner, signal }: Entrant): Promise<string> {
  const request = { url, method: 'GET' as const, headers: { accept: accepted }, allowHttp, redirects: 3, owner, signal };
  const reply = await httpClient
    .request({ ...request, connectMs: 10_000, totalMs: 30_000, maxBytes: apiLimits.fetchedBytes })
    .catch((error: unknown) => {
      throw error instanceof OutboundFault ? invalidField('document_url', `cannot be fetched: ${error.message}`) : error;
    });
  if (reply.isTruncated) throw invalidField('document_url', `the document has more than ${apiLimits.fetchedBytes} bytes`);
  if (reply.status !== 200) throw invalidField('document_url', `cannot be fetched: the server answers ${reply.status}`);
  return reply.body.toString('utf8');
}

/** Reads an OpenAPI document. Rejects with a 400 that names the field. */
export async function readApi(
  { clock, server }: { clock: Clock; server: McpHttpClient },
  source: ApiSource,
  choice: ApiChoice,
  reader: Entrant,
): Promise<ApiDocument<ConnectorTool>> {
  const isFetched = 'url' in source;
  const text = isFetched ? await fetchText(server, source.url, reader) : source.text;
  const place = isFetched ? source.url : undefined;
  return readDocument({ ...choice, text, place }, isFetched ? 'document_url' : 'document', clock, reader);
}
