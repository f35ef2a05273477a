import { PreviewCall, type PreviewCallParts } from './preview-call.ts';

/** Where programs in the sandbox of a task listen; none if no worker holds it. */
export async function findServedPorts(parts: PreviewCallParts): Promise<readonly number[]> {
  const call = new PreviewCall(parts);
  try {
    const answer = await call.ask({ kind: 'list' });
    return answer?.kind === 'ports' ? answer.ports : [];
  } finally {
    call.close();
  }
}
