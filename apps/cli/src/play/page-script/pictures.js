/** Pictures on canvases. */

/**
 * @param {HTMLCanvasElement} canvas
 * @param {Picture} picture
 */
function paint(canvas, { data, height, width, channels }) {
  canvas.width = width;
  canvas.height = height;
  canvas.classList.toggle('small', width < 320);
  canvas.style.setProperty('--ratio', String(width / height));
  const image = new ImageData(width, height);
  const rgba = image.data;
  const [green, blue] = channels === 1 ? [0, 0] : [1, 2];
  for (let from = 0, to = 0; to < rgba.length; from += channels, to += 4) {
    rgba[to] = data[from] ?? 0;
    rgba[to + 1] = data[from + green] ?? 0;
    rgba[to + 2] = data[from + blue] ?? 0;
    rgba[to + 3] = channels === 4 ? (data[from + 3] ?? 0) : 255;
  }
  canvas.getContext('2d')?.putImageData(image, 0, 0);
}

/**
 * An arrow where the agent stands, large enough to be found at a glance.
 *
 * @param {HTMLCanvasElement} canvas
 * @param {NonNullable<PlayView['marker']>} marker
 */
function drawMarker(canvas, { x, y, direction }) {
  const pen = canvas.getContext('2d');
  if (!pen) return;
  pen.translate(x, y);
  pen.rotate(-direction);
  pen.beginPath();
  for (const [right, down] of [[15, 0], [-9, 10], [-4, 0], [-9, -10]]) pen.lineTo(right ?? 0, down ?? 0); // biome-ignore format: corners
  pen.closePath();
  pen.lineWidth = 5;
  pen.strokeStyle = '#ffffff';
  pen.stroke();
  pen.fillStyle = '#1d4ed8';
  pen.fill();
}

/** @param {PageScene} scene */
function showPictures({ pictures: [first, ...others], captions, marker }) {
  page.eye.hidden = first === undefined;
  if (first) paint(page.eyeCanvas, first);
  while (page.more.childElementCount > others.length) page.more.lastElementChild?.remove();
  for (const [index, picture] of others.entries()) {
    let figure = page.more.children[index];
    if (!figure) {
      figure = element('figure');
      figure.append(element('canvas'), element('figcaption'));
      page.more.append(figure);
    }
    const caption = captions[index + 1] ?? '';
    const canvas = find('canvas', HTMLCanvasElement, figure);
    paint(canvas, picture);
    canvas.setAttribute('role', 'img');
    canvas.setAttribute('aria-label', caption);
    if (marker && caption === 'map') drawMarker(canvas, marker);
    find('figcaption', HTMLElement, figure).textContent = caption;
    figure.setAttribute('data-caption', caption);
  }
}
