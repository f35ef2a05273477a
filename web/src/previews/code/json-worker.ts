import { decodeText } from '../decode-text.ts';
import { answerCalls } from '../worker-call.ts';

answerCalls((bytes: Uint8Array) => Promise.resolve(JSON.parse(decodeText(bytes)) as unknown));
