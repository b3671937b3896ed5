/** In a file of its own: reading an archive loads a reader of tar files. */
export const isArchive = (path: string): boolean => /\.(?:tar\.gz|tgz)$/.test(path);
