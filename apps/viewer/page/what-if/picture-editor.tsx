/** A picture that can be painted over before an agent sees it: by pointer, by buttons, or from a file. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { pictureOf } from '../data.js';

export interface ChangedPicture {
  /** Hash of the picture that it replaces. */
  readonly hash: string;
  /** Base64. */
  readonly png: string;
}

interface EditorProps {
  readonly run: string;
  readonly set: string;
  readonly hashes: readonly string[];
  readonly onChange: (picture: ChangedPicture) => void;
}

type Draw = (context: CanvasRenderingContext2D, canvas: HTMLCanvasElement) => void;

const DRAWINGS: readonly (readonly [name: string, draw: Draw])[] = [
  [
    'Gray',
    (context, canvas) => {
      context.fillStyle = '#808080';
      context.fillRect(0, 0, canvas.width, canvas.height);
    },
  ],
  [
    'Mirror',
    (context, canvas) => {
      context.save();
      context.translate(canvas.width, 0);
      context.scale(-1, 1);
      context.drawImage(canvas, 0, 0);
      context.restore();
    },
  ],
  [
    'Negative',
    (context, canvas) => {
      context.globalCompositeOperation = 'difference';
      context.fillStyle = '#ffffff';
      context.fillRect(0, 0, canvas.width, canvas.height);
      context.globalCompositeOperation = 'source-over';
    },
  ],
];

/** Part of the width of the picture. */
const BRUSH = 0.06;

export function PictureEditor({ run, set, hashes, onChange }: EditorProps) {
  const [hash, setHash] = useState(hashes.at(-1)!);
  const [color, setColor] = useState('#808080');
  const [isChanged, setChanged] = useState(false);
  const canvas = useRef<HTMLCanvasElement>(null);
  const show = (source: CanvasImageSource & { width: number; height: number }, isOriginal: boolean) => {
    const element = canvas.current!;
    if (isOriginal) Object.assign(element, { width: source.width, height: source.height });
    element.getContext('2d')!.drawImage(source, 0, 0, element.width, element.height);
  };
  const original = () => {
    const image = new Image();
    image.onload = () => {
      if (!canvas.current) return;
      show(image, true);
      setChanged(false);
    };
    image.src = pictureOf(run, set, hash);
  };
  useEffect(original, [hash]);
  const changed = () => {
    setChanged(true);
    onChange({ hash, png: canvas.current!.toDataURL('image/png').slice('data:image/png;base64,'.length) });
  };
  const draw = (drawing: Draw) => {
    drawing(canvas.current!.getContext('2d')!, canvas.current!);
    changed();
  };
  const paint = (event: PointerEvent) => {
    if (event.buttons === 0) return;
    const { left, top, width } = canvas.current!.getBoundingClientRect();
    const scale = canvas.current!.width / width;
    const size = BRUSH * canvas.current!.width;
    const context = canvas.current!.getContext('2d')!;
    context.fillStyle = color;
    context.fillRect((event.clientX - left) * scale - size / 2, (event.clientY - top) * scale - size / 2, size, size);
  };
  const load = async (file: File | undefined) => {
    if (!file) return;
    const bitmap = await createImageBitmap(file).catch(() => undefined);
    if (!bitmap) return;
    show(bitmap, false);
    changed();
  };
  return (
    <div class="editor">
      {hashes.length > 1 && (
        <label>
          picture{' '}
          <select value={hash} onChange={(event) => setHash(event.currentTarget.value)}>
            {hashes.map((each, index) => (
              <option key={each} value={each}>
                {index + 1} of {hashes.length}
              </option>
            ))}
          </select>
        </label>
      )}
      <canvas
        ref={canvas}
        role="img"
        aria-label={isChanged ? 'The changed picture' : 'The picture as it was; paint on it'}
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId);
          paint(event);
        }}
        onPointerMove={paint}
        onPointerUp={changed}
      />
      <div class="bar">
        {DRAWINGS.map(([name, drawing]) => (
          <button key={name} type="button" onClick={() => draw(drawing)}>
            {name}
          </button>
        ))}
        <button type="button" disabled={!isChanged} onClick={original}>
          As it was
        </button>
        <label>
          brush <input type="color" value={color} onInput={(event) => setColor(event.currentTarget.value)} />
        </label>
        <label>
          from a file{' '}
          <input type="file" accept="image/*" onChange={(event) => void load(event.currentTarget.files?.[0])} />
        </label>
      </div>
    </div>
  );
}
