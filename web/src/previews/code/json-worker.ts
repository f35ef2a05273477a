import { decodeText } from '../files/decode-text.ts';
import { answerCalls } from '../files/worker-call.ts';

answerCalls((bytes: Uint8Array) => Promise.resolve(JSON.parse(decodeText(bytes)) as unknown));
