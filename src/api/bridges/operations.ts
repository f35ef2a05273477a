import type { Operation } from '../contract/operation.ts';
import { bridgeLink } from './bridge.link.ts';
import { bridgeList } from './bridge.list.ts';
import { bridgeUnlink } from './bridge.unlink.ts';

export const bridgeOperations: readonly Operation[] = [bridgeLink, bridgeList, bridgeUnlink];
