/**
 * Prisma's client names its command line and the compiler as optional peers, and with them comes the half of what is
 * installed: a database, React, a studio. They are for development. Takes them out of `node_modules/.pnpm` below the
 * folder it is run in, and whatever nothing else reaches.
 */
import { existsSync, globSync, readdirSync, realpathSync, rmSync } from 'node:fs';
import { join, sep } from 'node:path';

const developmentPeers = ['prisma', 'typescript'];
const store = realpathSync('node_modules/.pnpm');

for (const peer of developmentPeers) {
  for (const link of globSync(`${store}/*/node_modules/${peer}`)) {
    if (!realpathSync(link).startsWith(link)) rmSync(link); // a link to it, not the package itself
  }
}

const reached = new Set();
const folders = globSync('{packages,services}/*/node_modules');
for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
  for (const target of linksIn(folder)) {
    const name = target.startsWith(store + sep) ? target.slice(store.length + 1).split(sep)[0] : undefined;
    if (name === undefined || reached.has(name)) continue;
    reached.add(name);
    folders.push(join(store, name, 'node_modules'));
  }
}

for (const name of readdirSync(store)) {
  if (name !== 'node_modules' && name !== 'lock.yaml' && !reached.has(name))
    rmSync(join(store, name), { recursive: true });
}
for (const link of globSync(`${store}/node_modules/{*,@*/*}`)) if (!existsSync(link)) rmSync(link);

function linksIn(folder) {
  return globSync(`${folder}/{[!@.]*,@*/*}`)
    .filter((link) => existsSync(link))
    .map((link) => realpathSync(link));
}
