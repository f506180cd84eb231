import pg from 'pg';

const int8 = 20;

/** pg's defaults, except that int8 is a bigint instead of text. numeric stays text, which is exact. */
export const typeParsers: pg.CustomTypesConfig = {
  getTypeParser(oid: number, format?: 'text' | 'binary') {
    if (oid === int8 && format !== 'binary') return BigInt;
    return pg.types.getTypeParser(oid, format as 'text') as (value: string) => unknown; // the driver says any
  },
};
