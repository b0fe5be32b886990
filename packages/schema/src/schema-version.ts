/** The version of the document that this package reads and writes: `<major>.<minor>`. A new minor only adds keys. */
export const SCHEMA_VERSION = "1.0";
