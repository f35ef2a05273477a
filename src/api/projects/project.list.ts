import { listProjects } from '../../store/projects/projects.ts';
import { defineAccountList } from '../contract/account-list.ts';
import { presentProject, projectObject } from './project-object.ts';

export const projectList = defineAccountList('project.list', {
  summary: "Lists the account's projects, newest first.",
  access: 'projects',
  item: projectObject,
  list: listProjects,
  present: presentProject,
});
