import { claimTraces, finishTrace, hasDueTraces, readTracedTask, releaseTraces } from './trace-queue.ts';

/** Every operation on traces. */
export const tracingOperations = [claimTraces, finishTrace, hasDueTraces, readTracedTask, releaseTraces];
