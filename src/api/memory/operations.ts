import type { Operation } from '../contract/operation.ts';
import { memoryDelete } from './memory.delete.ts';
import { memoryList } from './memory.list.ts';
import { memoryRead } from './memory.read.ts';
import { memoryRestore } from './memory.restore.ts';
import { memoryVersions } from './memory.versions.ts';
import { memoryWrite } from './memory.write.ts';

export const memoryOperations: readonly Operation[] = [
  memoryList,
  memoryRead,
  memoryWrite,
  memoryDelete,
  memoryVersions,
  memoryRestore,
];
