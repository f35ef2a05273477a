import { Fault, type FaultCode } from '@errand/base/fault.ts';
import { en } from './page-texts-en.ts';
import type { Said } from './page-texts.ts';

/** A refusal that only pages show, and therefore in every language. */
export class PageFault extends Fault {
  readonly say: Said;

  constructor(code: FaultCode, say: Said) {
    super(code, say(en));
    this.name = 'PageFault';
    this.say = say;
  }
}

/** The explanation of a refusal; the API's own English ones are looked up by code. */
export function sayFault(fault: Fault): Said {
  return fault instanceof PageFault ? fault.say : ({ fault: { explain } }) => explain(fault.code, fault.message);
}
