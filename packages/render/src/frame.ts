/** The request of one render call: the size, the requested buffers, and the destination of their bytes. */
import { RenderError } from './errors.js';

/** The largest width or height of a frame, in pixels. */
export const MAX_FRAME_SIDE = 8192;
/** Maximum pixels of a frame. 4096 x 4096 with every buffer and 4 samples leaves the scene a tenth of the memory. */
export const MAX_FRAME_PIXELS = 4096 * 4096;

/**
 * The buffers of a frame: `true` for a new one, or your own buffer to fill. Row 0 is the top row.
 *
 * A buffer must have exactly the length given below. To draw into part of a larger one, pass a view of that part, for
 * example `new Uint8Array(sharedArrayBuffer, offset, height * width * 3)`. If no buffer is requested, `rgb` is drawn.
 */
export interface FrameRequest {
  /** Pixels, 1 to 8192; `width * height` is at most 16777216, which is 4096 x 4096 or 8192 x 2048. */
  readonly width: number;
  /** Pixels, 1 to 8192. */
  readonly height: number;
  /** Color, `height * width * 3` bytes. */
  readonly rgb?: boolean | Uint8Array | Uint8ClampedArray;
  /** Color, and the covered share of the pixel times 255; `height * width * 4` bytes. */
  readonly rgba?: boolean | Uint8Array | Uint8ClampedArray;
  /**
   * Distance along the view axis in scene units (meters), `height * width` numbers. Measured at the pixel's center on
   * the surface that covers most samples of the pixel; the camera's `far` where nothing was drawn.
   */
  readonly depth?: boolean | Float32Array;
  /** `userData.instanceId` of the object or its nearest ancestor that has one; otherwise 0. */
  readonly instances?: boolean | Int32Array;
  /** The same for `userData.classId`. */
  readonly segments?: boolean | Int32Array;
  /**
   * An object that stands for scene and camera as they are now: pass the same one as long as nothing has moved, and a new one
   * after any change. If the renderer's last frame had it, too, with the same size and buffers, the software renderer
   * returns that picture again without drawing. Omitted: always drawn.
   */
  readonly version?: object;
}

/** A drawn frame with exactly the requested buffers; your own buffers are filled and returned. */
export interface Frame {
  readonly width: number;
  readonly height: number;
  readonly rgb?: Uint8Array;
  readonly rgba?: Uint8Array;
  readonly depth?: Float32Array;
  readonly instances?: Int32Array;
  readonly segments?: Int32Array;
}

/** The frame type of a request: the requested buffers are not optional. */
export type FrameOf<Request extends FrameRequest> = Frame & {
  readonly [Name in BufferName as Request[Name] extends object | true ? Name : never]: NonNullable<Frame[Name]>;
} & ([keyof Request & BufferName] extends [never] ? { readonly rgb: Uint8Array } : unknown);

type BufferName = 'rgb' | 'rgba' | 'depth' | 'instances' | 'segments';

/** Checks a request and allocates the buffers that it does not bring. @throws {RenderError} INVALID_FRAME */
export function prepareFrame(request: FrameRequest): Frame {
  const { width, height } = checkRequest(request);
  for (const [name, value] of Object.entries({ width, height })) {
    if (!(Number.isInteger(value) && value >= 1 && value <= MAX_FRAME_SIDE)) {
      throw new RenderError(`Invalid frame ${name}: ${value}.`, {
        code: 'INVALID_FRAME',
        value,
        expected: `an integer from 1 to ${MAX_FRAME_SIDE}`,
        hint: 'pass the size of the picture in pixels: { width: 80, height: 60 }',
      });
    }
  }
  const { rgb, rgba, depth, instances, segments } = request;
  const pixels = width * height;
  if (pixels > MAX_FRAME_PIXELS) {
    throw new RenderError(`The frame is too large: ${width} x ${height} pixels.`, {
      code: 'INVALID_FRAME',
      value: pixels,
      expected: `width * height of at most ${MAX_FRAME_PIXELS}, such as 4096 x 4096`,
      hint: 'draw it in parts with camera.setViewOffset(...)',
    });
  }
  const color = rgb || !(rgba || depth || instances || segments);
  return {
    width,
    height,
    ...(color && { rgb: bytes('rgb', rgb || true, pixels * 3) }),
    ...(rgba && { rgba: bytes('rgba', rgba, pixels * 4) }),
    ...(depth && { depth: buffer('depth', depth, pixels, Float32Array) }),
    ...(instances && { instances: buffer('instances', instances, pixels, Int32Array) }),
    ...(segments && { segments: buffer('segments', segments, pixels, Int32Array) }),
  };
}

function checkRequest(request: FrameRequest | null | undefined): FrameRequest {
  if (typeof request === 'object' && request !== null) return request;
  throw new RenderError(`Invalid frame request: ${request}.`, {
    code: 'INVALID_FRAME',
    value: request,
    expected: 'an object with width and height',
    hint: 'pass the size of the picture in pixels: render(scene, camera, { width: 80, height: 60 })',
  });
}

function bytes(name: string, given: true | Uint8Array | Uint8ClampedArray, length: number): Uint8Array {
  if (!(given instanceof Uint8ClampedArray)) return buffer(name, given, length, Uint8Array);
  return buffer(name, new Uint8Array(given.buffer, given.byteOffset, given.length), length, Uint8Array);
}

type TypedArray = Uint8Array | Float32Array | Int32Array;

function buffer<Buffer extends TypedArray>(
  name: string,
  given: true | Buffer,
  length: number,
  type: new (length: number) => Buffer,
): Buffer {
  if (given === true) return new type(length);
  if (!(given instanceof type) || given.length !== length) {
    const found = given instanceof type ? `length ${given.length}` : `a ${Object.prototype.toString.call(given)}`;
    throw new RenderError(`Invalid frame buffer "${name}": ${found}.`, {
      code: 'INVALID_FRAME',
      value: given instanceof type ? given.length : given,
      expected: `a ${type.name} of length ${length}`,
      hint: `pass true for a new buffer, or a view: new ${type.name}(memory, offset, ${length})`,
    });
  }
  return given;
}
