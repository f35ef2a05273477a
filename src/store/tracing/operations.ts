import { claimTraces, finishTrace, hasDueTraces } from './trace-queue.ts';

/** Every operation on traces. */
export const tracingOperations = [claimTraces, finishTrace, hasDueTraces];
