/** Getting ALFWorld's game files. */
export {
  ARCHIVE_VERSIONS,
  type ArchiveCheck,
  type ArchiveVersion,
  archiveAddresses,
  type DownloadOptions,
  type DownloadProgress,
  downloadData,
} from './download.js';
export { ArchiveError, DownloadError } from './errors.js';
export {
  type Imported,
  type ImportLimits,
  type ImportOptions,
  type ImportProgress,
  importData,
} from './import-data.js';
export { WriteError } from './write-error.js';
