import type { Operation } from '../contract/operation.ts';
import { websiteListCheckpoints } from './website.listCheckpoints.ts';
import { websitePublish } from './website.publish.ts';
import { websiteStatus } from './website.status.ts';
import { websiteUpdate } from './website.update.ts';

export const websiteOperations: readonly Operation[] = [websiteStatus, websiteListCheckpoints, websitePublish, websiteUpdate];
