import type { BrandService } from '../../../src/api/contract/services/brand-service.ts';

/** For services that examine no file. */
export const idleBrands: BrandService = {
  examine: () => Promise.reject(new Error('no brands here')),
  readTemplate: () => Promise.reject(new Error('no brands here')),
  readLogo: () => Promise.resolve(null),
};
