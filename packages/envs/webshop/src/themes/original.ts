/**
 * The theme `original`: places, sizes and colors of WebShop's own pages. Elements, prices and pictures are those of `parity`.
 *
 * Measures: web_agent_site/templates and web_agent_site/static/style.css of princeton-nlp/WebShop, which the templates show
 * under Bootstrap 3.4.1 (a column of 1170 pixels, text of 14, headings of 30, 24 and 18). `scripts/beside-original.ts`
 * draws both.
 */
import { type Element, h } from '../shop/element.js';
import type { Session } from '../shop/session.js';
import { groupElement, groupsOf } from './groups.js';

export function originalPage(page: Element, { page: kind }: Session): Element {
  return h('div', { ...page.attributes }, ...groupsOf(page, kind).map(groupElement));
}

export const ORIGINAL_STYLE = `
* { box-sizing: border-box; animation: none !important; transition: none !important; caret-color: transparent !important; border-radius: 1px; }
html { scroll-behavior: auto !important; }
body { margin: 0; background: #fff; color: #333; font: 14px/20px 'Inter Variable', sans-serif; letter-spacing: -.02em; }
main:focus { outline: 0; }
#shop { width: min(1170px, 100% - 30px); margin: 0 auto; }
h1, h2, h3, h4, h5 { margin: 10px 0; font-weight: 400; line-height: 1.1; overflow-wrap: anywhere; }
h1 { font-size: 36px; } h2 { font-size: 30px; } h3 { font-size: 24px; } h4 { font-size: 18px; } h5 { font-size: 14px; }
h1, h2, h3 { margin-top: 20px; }
p { margin: 0 0 10px; } pre { font: inherit; margin: 0; white-space: pre-line; }
form { margin: 10px 0 0; }
.details { display: none; }
.group { display: flow-root; }
.btn { padding: 6px 12px; font: 13px/19px 'Inter Variable', sans-serif; letter-spacing: 1px; color: #fff; background: #337ab7; border: 1px solid #2e6da4; cursor: pointer; }
.btn-success { background: #5cb85c; border-color: #4cae4c; }
.purchase { padding: 10px 16px; font-size: 18px; line-height: 24px; letter-spacing: 0; color: #000; background: #faa70d; border-color: transparent; }
.btn:focus-visible, a:focus-visible, input:focus-visible + label { outline: 2px solid #222; outline-offset: 2px; }
#instruction-text { width: 50%; margin: 20px 0 10px 15px; padding: 5px; border: 3px solid #797474; text-align: center; }
.page-index { display: flex; flex-direction: column; align-items: center; padding-top: 8%; }
.page-index .group { width: 50%; text-align: center; } .page-index #instruction-text { width: 100%; margin: 0 0 10px; }
.group-search form { display: flex; margin: 0; } .group-search .btn { height: 40px; font-size: 16px; }
input[type=text] { flex: 1; min-width: 0; height: 40px; padding: 6px 12px; font: inherit; font-size: 16px; border: 1px solid #ccc; }
.page-results h3 { margin: 30px 0 10px 15px; } .pages { display: flex; gap: 0; margin-left: 15px; } .pages form { width: 126px; margin: 0 0 10px; } .pages form:only-child { margin-left: 126px; }
.list-group-item { display: grid; grid-template-columns: 380px 1fr; padding: 10px 30px; margin-bottom: -1px; border: 1px solid #ddd; }
.result-img, .item-page-img { object-fit: contain; }
.result-img { width: 240px; height: 240px; }
.product-asin a { color: #337ab7; text-decoration: none; }
.page-item { display: grid; grid-template-columns: 390px 585px 195px; grid-template-rows: auto auto auto auto auto 1fr; grid-template-areas: 'task task task' 'back back back' 'picture about buy' 'picture tabs buy' 'options tabs buy' 'options . .'; }
.group-task { grid-area: task; } .page-item .group-back { grid-area: back; } .group-picture { grid-area: picture; } .group-options { grid-area: options; } .group-about { grid-area: about; } .group-tabs { grid-area: tabs; } .group-buy { grid-area: buy; }
.group-about, .group-tabs { padding: 0 15px; } .group-about h2 { margin-top: 20px; } .group-tabs form { display: inline-block; width: 135px; } .group-buy { padding-top: 10px; }
.item-page-img { display: block; width: 240px; height: 240px; margin-top: 10px; }
.option-group { border: 0; margin: 10px 0 0; padding: 0; min-width: 0; }
.radio-toolbar { display: flex; flex-wrap: wrap; gap: 3px; margin: 5px; }
.radio-toolbar input { position: absolute; width: 1px; height: 1px; opacity: 0; }
.radio-toolbar label { padding: 10px; font-weight: 700; background: #f5f1f1; border: 1px solid #444; cursor: pointer; white-space: pre-wrap; overflow-wrap: anywhere; }
.radio-toolbar input:checked + label { background: #ffeaa3; }
.product-info { font-size: 18px; line-height: 26px; white-space: pre-wrap; overflow-wrap: anywhere; } .attribute { overflow-wrap: anywhere; }
.page-sub-page .group-content, .page-cart .group-about { margin-top: 20px; }
#thankyou { padding-bottom: 20px; font-weight: 700; color: #666; text-align: center; } #thankyou h1 { font-size: 60px; font-weight: 700; letter-spacing: -1px; }
#stats { text-align: center; }
#parts { margin: 20px auto; border-collapse: collapse; } #parts td, #parts th { padding: 8px; border: 1px solid #ddd; text-align: left; }
@media (max-width: 1199px) {
  .page-item { display: flex; flex-direction: column; } .list-group-item { grid-template-columns: minmax(0, 2fr) minmax(0, 3fr); padding: 10px 15px; }
  .result-img { width: min(240px, 100%); height: auto; } #instruction-text, .page-index .group { width: 100%; margin-left: 0; }
}
`;
