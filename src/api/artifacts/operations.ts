import type { Operation } from '../contract/operation.ts';
import { artifactArchive } from './artifact.archive.ts';
import { artifactDetail } from './artifact.detail.ts';
import { artifactList } from './artifact.list.ts';
import { artifactUpdate } from './artifact.update.ts';

export const artifactOperations: readonly Operation[] = [artifactList, artifactDetail, artifactUpdate, artifactArchive];
