/** The version in package.json, which a test compares: a package for all platforms cannot read its own file. */
export const version = '0.1.0';
