import { writeFileSync } from 'node:fs';
import { pythonOperations, pythonTypes } from './python-types.ts';
import { operatorOperations, operatorTypes, sdkOperations, sdkTypes } from './sdk-types.ts';

const generated = (name: string): URL => new URL(`../../src/generated/${name}`, import.meta.url);

const forConsole = (name: string): URL => new URL(`../../../console/src/generated/${name}`, import.meta.url);

const python = (name: string): URL => new URL(`../../../../clients/python/src/tollgate/${name}`, import.meta.url);

writeFileSync(generated('openapi.ts'), await sdkTypes());
writeFileSync(generated('operations.ts'), sdkOperations());
writeFileSync(forConsole('operator-openapi.ts'), await operatorTypes());
writeFileSync(forConsole('operator-operations.ts'), operatorOperations());
writeFileSync(python('_operations.py'), pythonOperations());
writeFileSync(python('types.py'), pythonTypes());
