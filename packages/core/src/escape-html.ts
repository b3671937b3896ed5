const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&#34;',
  "'": '&#39;',
  '\r': '&#13;', // a parser would convert it to a line feed
};

/** Text as HTML, in elements and in quoted attributes. */
export function escapeHtml(text: string): string {
  return /[&<>"'\r]/.test(text) ? text.replace(/[&<>"'\r]/g, (character) => ESCAPES[character]!) : text;
}
