import { deleteExpiredTriggerKeys, fireTrigger } from './fire-trigger.ts';
import { getTriggerEvent, listTriggerEvents, recordTriggerEvent } from './trigger-events.ts';
import { createTrigger, deleteTrigger, findTrigger, getTrigger, listTriggers, updateTrigger } from './triggers.ts';
import { endBucketLook, findSeenObjects, deleteGoneObjects, listSeenObjects, passObjects, renewLook } from './watched-buckets.ts';
import { claimLooks, endLook, passFile } from './watched-folders.ts';

/** Every operation on triggers and their deliveries. */
export const triggerOperations = [
  createTrigger,
  listTriggers,
  getTrigger,
  updateTrigger,
  deleteTrigger,
  findTrigger,
  fireTrigger,
  deleteExpiredTriggerKeys,
  recordTriggerEvent,
  listTriggerEvents,
  getTriggerEvent,
  claimLooks,
  passFile,
  endLook,
  findSeenObjects,
  passObjects,
  listSeenObjects,
  deleteGoneObjects,
  renewLook,
  endBucketLook,
];
