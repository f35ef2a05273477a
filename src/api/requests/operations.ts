import type { Operation } from '../contract/operation.ts';
import { requestDetail } from './request.detail.ts';
import { requestList } from './request.list.ts';

export const requestOperations: readonly Operation[] = [requestList, requestDetail];
