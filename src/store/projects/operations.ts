import { claimProjectSetup, findProjectSetup, recordProjectSetup, renewProjectSetup } from './project-setups.ts';
import { createProject, getProject, listProjects, updateProject } from './projects.ts';

/** Every operation on projects. */
export const projectOperations = [
  ...[createProject, getProject, listProjects, updateProject],
  ...[findProjectSetup, claimProjectSetup, renewProjectSetup, recordProjectSetup],
];
