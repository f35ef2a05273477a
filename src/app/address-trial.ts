export { tryAddress } from '../http/address-trial.ts';
