/** safetensors files. */
export { SafetensorsDtypeError, SafetensorsInvalidError } from './header.js';
export { load, SafetensorsFile, SafetensorsWriteError, type SaveOptions, save, saveSync } from './safetensors.js';
