import { FairGate } from '@errand/base/load/fair-gate.ts';
import type { SafeFetch } from '@errand/base/net/safe-fetch.ts';
import { SealBroken, type SealedBox } from '@errand/base/secrets/sealed-box.ts';
import type { AgentPorts } from '../../agent/agent-ports.ts';
import { explainProblem, fetchFile } from '../../api/messages/fetched-file.ts';
import { sealedPlaces } from '../../rules/instance/sealed-places.ts';
import type { Blobs } from '../../store/blobs/blobs.ts';

/** Files of messages that this process fetches at once; each holds a connection. */
const mostFetches = 16;
const field = 'file_url';

interface Parts {
  blobs: Pick<Blobs, 'put'>;
  httpClient: SafeFetch;
  /** Null for a process without the secret of the instance. */
  box: Pick<SealedBox, 'open'> | null;
}

/** Fetches the files that messages wait for, with the limits and checks of those that arrive before the response. */
export function createFileFetcher({ blobs, httpClient, box }: Parts): AgentPorts['fetchFile'] {
  const services = { blobs, httpClient, fetches: new FairGate({ capacity: mostFetches }) };
  const openUrl = (accountId: string, sealedUrl: string): string | null => {
    try {
      return box?.open(sealedUrl, sealedPlaces.awaitedFile(accountId)) ?? null;
    } catch (error) {
      if (error instanceof SealBroken) return null;
      throw error;
    }
  };
  return async (accountId, { kind, filename, contentType, sealedUrl }, signal) => {
    const url = openUrl(accountId, sealedUrl);
    if (url === null) return { attachment: null, problem: 'the secret of the instance that sealed its URL is gone' };
    try {
      const { name, type, stored } = await fetchFile({ field, url, filename, contentType, accountId }, services, signal);
      const isImage = kind === 'file' && type.startsWith('image/');
      const attachment = { kind: isImage ? ('image' as const) : kind, filename: name, contentType: type };
      return { attachment: { ...attachment, blobId: stored.blobId, bytes: stored.bytes }, problem: null };
    } catch (error) {
      signal.throwIfAborted();
      const problem = explainProblem(error, field);
      if (problem === null) throw error;
      return { attachment: null, problem };
    }
  };
}
