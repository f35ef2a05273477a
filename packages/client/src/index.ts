export type { CallOptions, ErrandOptions } from './connection.ts';
export { createErrand, type Errand, type Request, type Response } from './errand.ts';
export { ErrandError, isPassing } from './errand-error.ts';
export type * from './operations.ts';
export type { Attachment, StructuredOutput, TaskOutcome, WaitOptions } from './task-outcome.ts';
export type { OutputDelta, ReplyDelta, StreamItem, StreamOptions } from './task-stream.ts';
export type { UploadedFile } from './upload.ts';
export { type Delivery, verifyWebhook } from './webhook.ts';
