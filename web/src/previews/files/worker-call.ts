import { PreviewFault, type PreviewTrouble } from './preview-fault.ts';

/** A worker's answer to its one request. */
export type WorkerAnswer<Value> = { value: Value } | { trouble: PreviewTrouble };

export interface WorkerCallOptions {
  timeoutMs: number;
  signal?: AbortSignal;
  /** Moved to the worker instead of copied. */
  transfer?: Transferable[];
}

/**
 * Sends one request to a new worker. Hostile files are parsed there: whatever they do to a parser, the page stays responsive, and the
 * worker is terminated after a timeout. Rejects with a `PreviewFault`.
 */
export function callWorker<Value>(
  start: () => Worker,
  question: unknown,
  { timeoutMs, signal, transfer = [] }: WorkerCallOptions,
): Promise<Value> {
  const { promise, resolve, reject } = Promise.withResolvers<Value>();
  const worker = start();
  const timer = setTimeout(() => reject(new PreviewFault('slow')), timeoutMs);
  signal?.addEventListener('abort', () => reject(signal.reason));
  worker.addEventListener('message', ({ data }: MessageEvent<WorkerAnswer<Value>>) => {
    if ('trouble' in data) reject(new PreviewFault(data.trouble));
    else resolve(data.value);
  });
  worker.addEventListener('error', (event) => reject(new PreviewFault('broken', event.message)));
  worker.postMessage(question, transfer);
  return promise.finally(() => {
    clearTimeout(timer);
    worker.terminate();
  });
}

/** The worker's side: answers requests with the result of `answer`. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- only the requesting page knows the message type
export function answerCalls<Question, Value>(answer: (question: Question) => Promise<Value>): void {
  const scope = globalThis as unknown as {
    addEventListener(type: 'message', listener: (event: MessageEvent<Question>) => void): void;
    postMessage(message: WorkerAnswer<Value>): void;
  };
  scope.addEventListener('message', ({ data }) => {
    void answer(data).then(
      (value) => scope.postMessage({ value }),
      (error: unknown) => scope.postMessage({ trouble: error instanceof PreviewFault ? error.trouble : 'broken' }),
    );
  });
}
