import { answerCalls } from '../files/worker-call.ts';
import { readPresentation } from './presentation-read.ts';

answerCalls((bytes: Uint8Array) => Promise.resolve(bytes).then(readPresentation));
