import type { CallBill, CallEstimate, CallFault } from './call-cost.ts';

/** What happens while an image model makes a picture (make_image). */
export type PictureEvent =
  | ({ type: 'picture_started'; callId: string; model: string } & CallEstimate)
  | ({ type: 'picture_failed'; callId: string; reason: string } & CallFault & CallBill)
  /** The output of the image model is stored. */
  | ({ type: 'picture_finished'; callId: string; blobId: string; bytes: number } & CallBill);

const pictureTypes: readonly string[] = [
  'picture_started',
  'picture_failed',
  'picture_finished',
] satisfies PictureEvent['type'][];

export function isPictureEvent(event: { type: string }): event is PictureEvent {
  return pictureTypes.includes(event.type);
}

/** The newest picture of a tool call. With neither outcome, the call is running or was interrupted. */
export interface PictureCall {
  callId: string;
  model: string;
  blobId?: string;
  problem?: string;
}

/** The state of the newest picture after one more event. */
export function advancePicture(picture: PictureCall | undefined, event: PictureEvent): PictureCall {
  const { callId } = event;
  if (event.type === 'picture_started') return { callId, model: event.model };
  const model = picture?.model ?? '';
  return event.type === 'picture_failed' ? { callId, model, problem: event.reason } : { callId, model, blobId: event.blobId };
}
