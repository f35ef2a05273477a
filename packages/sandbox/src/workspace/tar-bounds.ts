import { Fault } from '@errand/base/fault.ts';

/** More than the header and the long names of an entry take. */
const maxHeaderBytes = 16 * 1024;

/** The fault for an archive that is larger than a workspace can be. */
export function workspaceTooLarge(): Fault {
  return new Fault('payload_too_large', 'The workspace is larger than one can be.');
}

/** A step of a pipeline that passes a tar archive on and fails beyond what entries within these limits take, however small they are packed. */
export function boundTar({ bytes, entries }: { bytes: number; entries: number }) {
  const most = bytes + maxHeaderBytes * entries;
  return async function* (source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    let passed = 0;
    for await (const piece of source) {
      passed += piece.byteLength;
      if (passed > most) throw workspaceTooLarge();
      yield piece;
    }
  };
}
