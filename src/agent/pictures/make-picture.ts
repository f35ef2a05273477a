import { pause } from '@errand/base/clock.ts';
import { ModelFault } from '../../models/model.ts';
import type { MadePicture, PictureModel } from '../../models/pictures/picture-model.ts';
import { mostPictureBytes, type PictureRequest } from '../../models/pictures/picture-request.ts';
import type { PictureCall } from '../../rules/events/picture-events.ts';
import { findOverrun } from '../../rules/tasks/turn-limits.ts';
import { NoOutcome, type PictureResult } from '../../tools/toolbox/tool.ts';
import type { TaskRun } from '../agent-ports.ts';
import { beginFixedCall } from '../paid-call.ts';

/**
 * The pauses before the second and third attempt at an overloaded provider. Other failures are not retried, because the picture may have
 * been paid.
 */
const pausesMs = [5_000, 20_000] as const;
const longestPauseMs = 60_000;

const interrupted =
  'the service was interrupted while the picture was made, and it may have been paid. Call again if it is still needed';
const gone = 'it was made, and is not stored any more';

async function readKept({ task, ports }: TaskRun, blobId: string): Promise<Uint8Array | null> {
  const content = await ports.openAttachment(task.accountId, blobId);
  if (content === null) return null;
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of content) {
    pieces.push(Buffer.from(piece));
    length += piece.length;
    if (length > mostPictureBytes) return null;
  }
  return Buffer.concat(pieces);
}

/** The outcome of an earlier run of this call. A picture whose outcome is unknown is not ordered again, because it may have been paid. */
async function resume(run: TaskRun, { callId, model, blobId, problem }: PictureCall): Promise<PictureResult> {
  if (problem !== undefined) return { problem };
  if (blobId !== undefined) {
    const bytes = await readKept(run, blobId);
    return bytes === null ? { problem: gone } : { model, bytes };
  }
  // Without a cost: it is charged as estimated.
  const usage = { input: 0, output: 0, cached: 0 };
  await run.journal.append([{ type: 'picture_failed', callId, reason: interrupted, kind: 'unavailable', usage }]);
  return { problem: interrupted };
}

async function callPatiently({ journal, ports }: TaskRun, model: PictureModel, request: PictureRequest): Promise<MadePicture> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await journal.attend((signal) => model.make(request, signal));
    } catch (error) {
      const pauseMs = pausesMs[attempt];
      if (!(error instanceof ModelFault) || error.kind !== 'overloaded' || pauseMs === undefined) throw error;
      const waitMs = Math.min(Math.max(error.retryAfterMs ?? 0, pauseMs), longestPauseMs);
      await journal.attend((signal) => pause(ports.clock, waitMs, signal));
    }
  }
}

/** Logs a failed picture, which costs nothing, in the log of the task and in that of the service, like a failed call of another model. */
async function logFailure(
  { task, journal, ports }: TaskRun,
  callId: string,
  model: PictureModel,
  fault: ModelFault,
): Promise<void> {
  const { kind, message: reason, usage } = fault;
  ports.log.warn({ account_id: task.accountId, task_id: task.taskId, model: model.name, kind, reason }, 'a picture was not made');
  await journal.append([{ type: 'picture_failed', callId, reason, kind, usage, cost: 0 }]);
}

async function makeOne(run: TaskRun, callId: string, model: PictureModel, request: PictureRequest): Promise<PictureResult> {
  const { task, journal, ports } = run;
  try {
    const { bytes, usage, cost } = await callPatiently(run, model, request);
    const kept = await ports.keepPicture(task.accountId, bytes);
    await journal.append([{ type: 'picture_finished', callId, ...kept, usage, ...(cost !== null && { cost }) }]);
    return { model: model.name, bytes };
  } catch (error) {
    if (!(error instanceof ModelFault)) throw error;
    await logFailure(run, callId, model, error);
    return { problem: error.message };
  }
}

/**
 * Makes a picture for a tool. The start is logged with its reservation before the call, and the model's output is stored before the end is
 * logged. So after a crash, the next worker has the picture, or knows that it may have been paid and does not ask for it again.
 */
export async function makePicture(
  run: TaskRun,
  callId: string,
  request: PictureRequest,
  findObstacle: () => Promise<string | null>,
): Promise<PictureResult> {
  const { task, journal, ports } = run;
  const earlier = journal.state.picture;
  if (earlier?.callId === callId) return resume(run, earlier);
  const model = ports.findPictureModel(task);
  if (model === null) return { problem: 'no image model is configured' };
  const limit = findOverrun(journal.state, ports.budget);
  if (limit !== null) return { problem: `the task has reached its limit of ${limit}` };
  const obstacle = await findObstacle();
  if (obstacle !== null) return { problem: obstacle };
  const { input: estimatedInput, cost: estimatedCost } = model.estimate(request);
  const start = { type: 'picture_started' as const, callId, model: model.name, estimatedInput, estimatedCost };
  while (!(await beginFixedCall(run, start, estimatedCost))) {
    if (journal.state.status !== 'running') throw new NoOutcome('the task waits or has ended');
  }
  return makeOne(run, callId, model, request);
}
