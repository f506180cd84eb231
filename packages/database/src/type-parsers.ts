import pg from 'pg';

const int8 = 20;

/** pg's defaults but for int8, which would come back as text: here it is a bigint. numeric stays text, exact. */
export const typeParsers: pg.CustomTypesConfig = {
  getTypeParser(oid: number, format?: 'text' | 'binary') {
    if (oid === int8 && format !== 'binary') return BigInt;
    return pg.types.getTypeParser(oid, format as 'text') as (value: string) => unknown; // the driver says any
  },
};
