/**
 * The first import of every program that works on a data folder. Files that it and its children make are for their owner only, because a data
 * folder holds password hashes, secrets and all originals.
 */
process.umask(0o077)
