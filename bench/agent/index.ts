import type { Job } from './job.ts';
import { conversationJobs } from './jobs/conversation-jobs.ts';
import { longJob } from './jobs/long-job.ts';
import { manyHandsJobs } from './jobs/many-hands-jobs.ts';
import { officeJobs } from './jobs/office-jobs.ts';
import { recipeJobs } from './jobs/recipe-jobs.ts';
import { testedJobs } from './jobs/tested-jobs.ts';
import { webJobs } from './jobs/web-jobs.ts';
import { workshopJobs } from './jobs/workshop-jobs.ts';

/** Every job, in the order in which it is shown. */
export const jobs: readonly Job[] = [
  ...officeJobs,
  ...workshopJobs,
  ...webJobs,
  ...conversationJobs,
  ...manyHandsJobs,
  ...recipeJobs,
  longJob,
  ...testedJobs,
];
