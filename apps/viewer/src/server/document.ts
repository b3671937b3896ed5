/** The page as one document. Nothing in it comes from a run, except data: JSON in a script element. */
import { readFileSync } from 'node:fs';
import { builtFile } from '@vlgym/core/internal';

interface PageFiles {
  readonly script: string;
  readonly style: string;
}

let files: PageFiles | undefined;

/** Built once from `src/page`, without anything that is loaded from elsewhere. @throws {GymError} `WORKER_FILE_MISSING` */
export function pageFiles(): PageFiles {
  const read = (path: string) => readFileSync(builtFile(import.meta.url, { package: '@vlgym/viewer', path }), 'utf8');
  files ??= { script: inline(read('page/viewer.js')), style: read('page/viewer.css') };
  return files;
}

export interface DocumentOptions {
  /** Scripts and styles with it pass the content security policy of the server. */
  readonly nonce?: string;
  /** A policy in the document itself, for a page that no server sends. */
  readonly policy?: string;
  /** Answers that the page would ask for, for a page that no server sends. */
  readonly data?: object;
  /** Answers that the page will ask for first. */
  readonly first?: object;
}

export function viewerDocument({ nonce, policy, data, first }: DocumentOptions): string {
  const { script, style } = pageFiles();
  const own = nonce === undefined ? '' : ` nonce="${nonce}"`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
${policy === undefined ? '' : `<meta http-equiv="Content-Security-Policy" content="${policy}">\n`}<title>vlgym view</title>
<link rel="icon" href="data:,">
<style${own}>${style}</style>
</head>
<body>
<div id="app"></div>
<noscript>This page needs JavaScript.</noscript>
${dataElement('data', data)}${dataElement('first', first)}<script${own} type="module">${script}</script>
</body>
</html>
`;
}

const dataElement = (id: string, value: object | undefined): string =>
  value === undefined ? '' : `<script type="application/json" id="${id}">${embedded(value)}</script>\n`;

/** JSON that cannot end its element or begin a comment. */
const embedded = (data: object): string => JSON.stringify(data).replaceAll('<', '\\u003c');

/** Our own code, which may mention a closing tag in a string. */
const inline = (script: string): string => script.replaceAll('</script', '<\\/script').replaceAll('<!--', '<\\!--');
