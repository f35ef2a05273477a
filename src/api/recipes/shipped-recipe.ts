import { Fault } from '@errand/base/fault.ts';
import { findShipped } from './recipe-object.ts';

/** 412 for changing a recipe that comes with the service. */
export function refuseShipped(id: string): void {
  if (!findShipped(id)) return;
  throw new Fault('failed_precondition', 'This recipe comes with the service; create one of your own from its template instead.');
}
