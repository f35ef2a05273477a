import { Fault, type FaultCode } from '@errand/base/fault.ts';
import { en } from './page-texts-en.ts';
import type { Said } from './page-texts.ts';

/** A refusal that is told on a page alone, and so in every language. */
export class PageFault extends Fault {
  readonly say: Said;

  constructor(code: FaultCode, say: Said) {
    super(code, say(en));
    this.name = 'PageFault';
    this.say = say;
  }
}

/** What a refusal means to people; the API's own, which are English, by their code. */
export function sayFault(fault: Fault): Said {
  return fault instanceof PageFault ? fault.say : ({ fault: { explain } }) => explain(fault.code, fault.message);
}
