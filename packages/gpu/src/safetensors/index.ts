/** safetensors files. */
export {
  SafetensorsDtypeError,
  SafetensorsHeaderError,
  SafetensorsInvalidError,
  SafetensorsReadError,
} from './header.js';
export {
  load,
  SafetensorsFile,
  SafetensorsTensorError,
  SafetensorsWriteError,
  type SaveOptions,
  save,
  saveSync,
} from './safetensors.js';
export { SafetensorsWriter, type TensorLayout } from './writer.js';
