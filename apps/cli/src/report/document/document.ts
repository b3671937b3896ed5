/** A report as one HTML file: styles inside, no script, and a policy that lets nothing else in. */
import { html, Markup } from './html.js';
import { STYLE } from './style.js';

export interface ReportDocument {
  readonly title: string;
  /** Title of the browser's tab; default: `title`. */
  readonly tab?: string;
  readonly lead: string;
  /** Below the heading and the lead. */
  readonly body: Markup;
  /** Rules for this kind of report. */
  readonly style?: string;
  /** Where pictures come from; default: inside the file. */
  readonly pictures?: string;
}

export function reportDocument({
  title,
  tab = title,
  lead,
  body,
  style = '',
  pictures = 'data:',
}: ReportDocument): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src ${pictures}; style-src 'unsafe-inline'">
<title>${tab}</title>
<style>${new Markup(STYLE)}${new Markup(style)}</style>
</head>
<body>
<main>
<h1>${title}</h1>
<p class="lead">${lead}</p>
${body}
</main>
</body>
</html>
`.text;
}
