import { useEffect, useRef, useState } from 'react';
import type { ApiOperation, JsonObject } from './api-document.ts';
import { prepareRequest } from './prepare-request.ts';
import { type Answer, type Credential, sendRequest } from './send-request.ts';

/** A request that is being sent or was, with what came back. */
export interface Sending {
  answer: Answer | null;
  /** Why there is no whole answer, such as a lost connection; null for none. */
  error: unknown;
  isBusy: boolean;
  send(input: JsonObject, credential: Credential): Promise<void>;
  /** Ends the request; what has come of the answer stays. */
  stop(): void;
}

/** Sends requests of an operation, one at a time. */
export function useSending(operation: ApiOperation): Sending {
  const [answer, setAnswer] = useState<Answer | null>(null);
  const [error, setError] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);
  const send = async (input: JsonObject, credential: Credential) => {
    const { signal } = (running.current = new AbortController());
    setAnswer(null);
    setError(null);
    setBusy(true);
    try {
      await sendRequest(prepareRequest(operation, input), credential, { signal, report: setAnswer });
    } catch (problem) {
      if (signal.aborted) setAnswer((last) => last && { ...last, isComplete: true });
      else setError(problem);
    } finally {
      setBusy(false);
    }
  };
  return { answer, error, isBusy, send, stop: () => running.current?.abort() };
}
