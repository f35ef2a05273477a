import type { BrandService } from '../../../src/api/contract/services/brand-service.ts';

/** Brands of a service that examines no files. */
export const idleBrands: BrandService = {
  examine: () => Promise.reject(new Error('no brands here')),
  readTemplate: () => Promise.reject(new Error('no brands here')),
  readLogo: () => Promise.resolve(null),
};
