import { writeFileSync } from 'node:fs';
import { sdkOperations, sdkTypes } from './sdk-types.ts';

const generated = (name: string): URL => new URL(`../../src/generated/${name}`, import.meta.url);

writeFileSync(generated('openapi.ts'), await sdkTypes());
writeFileSync(generated('operations.ts'), sdkOperations());
