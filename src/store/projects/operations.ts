import { createProject, getProject, listProjects, updateProject } from './projects.ts';

/** Every operation on projects. */
export const projectOperations = [createProject, getProject, listProjects, updateProject];
