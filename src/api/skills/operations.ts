import type { Operation } from '../contract/operation.ts';
import { skillCreate } from './skill.create.ts';
import { skillDelete } from './skill.delete.ts';
import { skillList } from './skill.list.ts';
import { skillShow } from './skill.show.ts';

export const skillOperations: readonly Operation[] = [skillList, skillCreate, skillDelete, skillShow];
