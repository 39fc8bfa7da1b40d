/**
 * First import of every program that works on a data folder: what it and its children make from here on is for their owner only. A data
 * folder holds password hashes, secrets and everybody's originals.
 */
process.umask(0o077)
