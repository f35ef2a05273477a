import { type Clock, pause } from '@errand/base/clock.ts';
import { Fault } from '@errand/base/fault.ts';
import { FairGate } from '@errand/base/load/fair-gate.ts';
import type { SafeFetch } from '@errand/base/net/safe-fetch.ts';
import { SealBroken, type SealedBox } from '@errand/base/secrets/sealed-box.ts';
import type { AgentPorts } from '../../agent/agent-ports.ts';
import { explainProblem, fetchFile, type WantedFile } from '../../api/messages/fetched-file.ts';
import { sealedPlaces } from '../../rules/instance/sealed-places.ts';
import { attachFile } from '../../rules/messages/attachment-place.ts';
import type { Blobs } from '../../store/blobs/blobs.ts';

/** Files of messages that the workers of this process fetch at once; each holds a connection. */
const mostFetches = 16;
/** Pauses while the file storage is unavailable: about ten minutes in all. */
const pausesMs = [5, 15, 30, 60, 60, 60, 120, 120, 120].map((seconds) => seconds * 1000);
const field = 'file_url';

interface Parts {
  blobs: Pick<Blobs, 'put'>;
  httpClient: SafeFetch;
  clock: Clock;
  /** Null for a process without the secret of the instance. */
  box: Pick<SealedBox, 'open'> | null;
}

/** Fetches the files that messages wait for, with the limits and checks of those that arrive before the response. */
export function createFileFetcher({ blobs, httpClient, clock, box }: Parts): AgentPorts['fetchFile'] {
  const services = { blobs, httpClient, fetches: new FairGate({ capacity: mostFetches }) };
  const openUrl = (accountId: string, sealedUrl: string): string | null => {
    try {
      return box?.open(sealedUrl, sealedPlaces.awaitedFile(accountId)) ?? null;
    } catch (error) {
      if (error instanceof SealBroken) return null;
      throw error;
    }
  };
  const fetchPatiently = async (wanted: WantedFile, signal: AbortSignal) => {
    for (const pauseMs of pausesMs) {
      try {
        return await fetchFile(wanted, services, signal);
      } catch (error) {
        if (!(error instanceof Fault) || error.code !== 'unavailable') throw error;
        await pause(clock, pauseMs, signal);
      }
    }
    return fetchFile(wanted, services, signal);
  };
  return async (accountId, { kind, filename, contentType, sealedUrl }, signal) => {
    const url = openUrl(accountId, sealedUrl);
    if (url === null) return { attachment: null, problem: 'the secret of the instance that sealed its URL is gone' };
    try {
      const { name, type, stored } = await fetchPatiently({ field, url, filename, contentType, accountId }, signal);
      return { attachment: attachFile(kind === 'voice', name, type, stored), problem: null };
    } catch (error) {
      signal.throwIfAborted();
      const problem = explainProblem(error, field);
      if (problem === null) throw error;
      return { attachment: null, problem };
    }
  };
}
