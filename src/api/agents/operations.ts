import type { Operation } from '../contract/operation.ts';
import { agentDetail } from './agent.detail.ts';
import { agentList } from './agent.list.ts';
import { agentUpdate } from './agent.update.ts';

export const agentOperations: readonly Operation[] = [agentList, agentDetail, agentUpdate];
