import { deleteBrand, findBrand, getBrand, setBrand } from './brands.ts';

/** Every operation on brands. */
export const brandOperations = [setBrand, deleteBrand, getBrand, findBrand];
