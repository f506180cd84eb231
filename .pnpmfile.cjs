/**
 * Dependencies that no code of ours reaches. Prisma's client names its command line and the compiler as optional peers, and
 * pnpm then brings a studio with React, three databases and a driver of MySQL into what ships. Nest's microservices name
 * gRPC, which no service speaks. Swagger's pages bring a package that reports installations.
 * @type {Readonly<Record<string, readonly string[]>>}
 */
const unreached = {
  '@prisma/client': ['prisma', 'typescript'],
  '@nestjs/microservices': ['@grpc/grpc-js'],
  'swagger-ui-dist': ['@scarf/scarf'],
};

/**
 * @typedef {object} Manifest
 * @property {string} name
 * @property {Record<string, string>} [dependencies]
 * @property {Record<string, string>} [peerDependencies]
 * @property {Record<string, object>} [peerDependenciesMeta]
 */

/**
 * @param {Manifest} manifest
 * @returns {Manifest}
 */
function readPackage(manifest) {
  for (const name of unreached[manifest.name] ?? []) {
    delete manifest.dependencies?.[name];
    delete manifest.peerDependencies?.[name];
    delete manifest.peerDependenciesMeta?.[name];
  }
  return manifest;
}

module.exports = { hooks: { readPackage } };
