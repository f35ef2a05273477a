import { listMemory, listMemoryVersions, loadMemory, readMemory } from './memory-reads.ts';
import { restoreMemory, writeMemory } from './memory-writes.ts';
import { saveTaskMemory } from './task-memory.ts';

/** Every operation on memory. */
export const memoryOperations = [
  listMemory,
  listMemoryVersions,
  loadMemory,
  readMemory,
  restoreMemory,
  writeMemory,
  saveTaskMemory,
];
