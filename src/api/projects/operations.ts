import type { Operation } from '../contract/operation.ts';
import { projectCreate } from './project.create.ts';
import { projectList } from './project.list.ts';
import { projectUpdate } from './project.update.ts';

export const projectOperations: readonly Operation[] = [projectCreate, projectList, projectUpdate];
