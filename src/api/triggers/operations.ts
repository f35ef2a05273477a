import type { Operation } from '../contract/operation.ts';
import { triggerCreate } from './trigger.create.ts';
import { triggerDelete } from './trigger.delete.ts';
import { triggerDetail } from './trigger.detail.ts';
import { triggerEvents } from './trigger.events.ts';
import { triggerList } from './trigger.list.ts';
import { triggerReplay } from './trigger.replay.ts';
import { triggerTry } from './trigger.try.ts';
import { triggerUpdate } from './trigger.update.ts';

export const triggerOperations: readonly Operation[] = [
  triggerCreate,
  triggerList,
  triggerDetail,
  triggerUpdate,
  triggerDelete,
  triggerEvents,
  triggerReplay,
  triggerTry,
];
