import type { Operation } from '../contract/operation.ts';
import { brandDelete } from './brand.delete.ts';
import { brandGet } from './brand.get.ts';
import { brandRead } from './brand.read.ts';
import { brandSet } from './brand.set.ts';

export const brandOperations: readonly Operation[] = [brandSet, brandGet, brandDelete, brandRead];
