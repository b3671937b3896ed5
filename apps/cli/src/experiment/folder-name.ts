/** `vlgym/EZPoints-v1` → `vlgym-EZPoints-v1`: ids of two namespaces never share a folder. */
export const folderName = (id: string) => id.replaceAll('/', '-').replaceAll(':', '-');
