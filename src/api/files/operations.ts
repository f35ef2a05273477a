import type { Operation } from '../contract/operation.ts';
import { fileDelete } from './file.delete.ts';
import { fileDetailOperation } from './file.detail.ts';
import { fileUpload } from './file.upload.ts';

export const fileOperations: readonly Operation[] = [fileUpload, fileDetailOperation, fileDelete];
