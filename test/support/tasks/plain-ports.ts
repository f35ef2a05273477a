import { FairGate } from '@errand/base/load/fair-gate.ts';
import { silentLog } from '@errand/base/log.ts';
import { ResourcePool } from '../../../src/agent/slots/resource-pool.ts';
import { type OpenAttachment, ShownImages } from '../../../src/agent/shown-images.ts';
import { usualTurnLimits } from '../../../src/rules/tasks/turn-limits.ts';

const openNothing: OpenAttachment = () => Promise.resolve(null);

/** Ports for agents without attachments and special options. */
export const plainPorts = {
  toolSlots: new FairGate({ capacity: 64 }),
  resourcePool: new ResourcePool(64),
  rowSlots: new FairGate({ capacity: 64 }),
  openAttachment: openNothing,
  fetchFile: () => Promise.resolve({ attachment: null, problem: 'no files here' }),
  images: new ShownImages(openNothing),
  findTranscriber: () => null,
  findPictureModel: () => null,
  keepPicture: () => Promise.reject(new Error('no pictures here')),
  settleModels: () => Promise.resolve(),
  showPicture: () => Promise.resolve(null),
  policiesOf: () => Promise.resolve([]),
  budget: usualTurnLimits,
  log: silentLog,
};
