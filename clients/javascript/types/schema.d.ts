export type * from '../schema.d.ts';
