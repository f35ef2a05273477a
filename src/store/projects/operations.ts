import { createProject, getProject, listProjects, updateProject } from './projects.ts';

/** The operations on projects that the database thread knows. */
export const projectOperations = [createProject, getProject, listProjects, updateProject];
