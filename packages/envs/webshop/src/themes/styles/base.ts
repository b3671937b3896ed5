/**
 * Styles shared by all themes: resets, the parts of the pages, small windows, pop-ups. A look sets variables for colors and
 * positions.
 *
 * Pictures have no background: Chromium paints one or not, depending on whether the picture has arrived, and round corners show it.
 */

const STAR =
  "url(\"data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' width='18' height='18' viewBox='0 0 18 18'%3E%3Cpath d='M9 1l2.4 5.1 5.6.7-4.1 3.9 1 5.6L9 13.6l-4.9 2.7 1-5.6L1 6.8l5.6-.7z'/%3E%3C/svg%3E\")";

const CART =
  "url(\"data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' width='24' height='24' viewBox='0 0 24 24'%3E%3Cpath fill='none' stroke='black' stroke-width='2' d='M2 4h3l3 11h10l3-8H7'/%3E%3Ccircle cx='9' cy='20' r='1.8'/%3E%3Ccircle cx='17' cy='20' r='1.8'/%3E%3C/svg%3E\")";

const STARS = Array.from({ length: 11 }, (_, half) => `.stars-${half}::before { --full: ${half * 9}px; }`).join('\n');

export const BASE = `
* { box-sizing: border-box; animation: none !important; transition: none !important; caret-color: transparent !important; }
html { scroll-behavior: auto !important; }
body { margin: 0; font: 16px/1.45 'Inter Variable', sans-serif; }
main:focus { outline: 0; }
h1, h2, h3, h4, h5, p { margin: 0; font-weight: 600; }
p { font-weight: 400; }
pre { font: inherit; margin: 0; }
form { display: inline-block; margin: 0; }
.details { display: none; }
.theme { display: flex; flex-direction: column; min-height: 100vh; background: var(--page); color: var(--ink); }
#shop { flex: 1; width: 100%; max-width: var(--width); margin: 0 auto; padding: 20px 24px 40px; }
.site-header { display: flex; align-items: center; gap: 28px; padding: 14px max(24px, calc((100% - var(--width)) / 2 + 24px)); background: var(--head); color: var(--head-ink); }
.site-name { display: flex; flex-direction: column; line-height: 1.15; white-space: nowrap; }
.site-name b { font-size: 23px; letter-spacing: var(--spacing); }
.site-name span { font-size: 12px; opacity: .75; }
.site-aisles { flex: 1; display: flex; justify-content: center; gap: 22px; font-size: 14px; overflow: hidden; white-space: nowrap; }
.site-cart { display: flex; align-items: center; gap: 8px; font-size: 14px; }
.cart-icon { width: 22px; height: 22px; background: currentColor; mask: ${CART} center / contain no-repeat; }
.cart-count { min-width: 22px; padding: 1px 7px; border-radius: 11px; background: var(--accent); color: var(--accent-ink); text-align: center; font-size: 13px; }
.site-footer { display: flex; flex-wrap: wrap; justify-content: center; gap: 8px 28px; padding: 22px 24px; background: var(--foot); color: var(--foot-ink); font-size: 13px; }
.site-footer small { width: 100%; text-align: center; opacity: .7; }
.site-shelf { width: 100%; max-width: var(--width); margin: 0 auto; padding: 0 24px 48px; }
.site-shelf p { font-size: 18px; font-weight: 600; margin-bottom: 12px; }
.site-shelf div { display: grid; grid-template-columns: repeat(6, 1fr); gap: 14px; }
.site-shelf img { width: 100%; aspect-ratio: 1; object-fit: cover; border-radius: var(--round); border: 1px solid var(--line); }
#instruction-text h4 { font-size: 15px; font-weight: 500; }
.group-task { margin-bottom: 16px; padding: 10px 16px; background: var(--note); border-radius: var(--round); border-left: 4px solid var(--accent); }
.group-back { display: flex; gap: 8px; margin-bottom: 14px; }
.group-logo { text-align: center; margin: 36px 0 12px; }
.group-logo h2 { font-size: 34px; letter-spacing: var(--spacing); }
.page-index { display: flex; flex-direction: column; }
.group-search { display: flex; justify-content: center; margin: 14px 0 26px; }
.group-search form { display: flex; width: min(680px, 100%); }
input[type=text] { flex: 1; min-width: 0; padding: 12px 16px; font: inherit; color: inherit; background: #fff; border: 2px solid var(--accent); border-right: 0; border-radius: var(--round) 0 0 var(--round); }
.group-search .btn { border-radius: 0 var(--round) var(--round) 0; background: var(--accent); border-color: var(--accent); color: var(--accent-ink); }
.btn { padding: 9px 16px; font: inherit; font-size: 14px; font-weight: 500; color: var(--ink); background: var(--card); border: 1px solid var(--line); border-radius: var(--round); cursor: pointer; }
.btn:focus-visible, a:focus-visible, input:focus-visible + label, input[type=text]:focus-visible { outline: 3px solid var(--focus); outline-offset: 2px; }
.purchase { width: 100%; padding: 13px 28px; font-size: 17px; font-weight: 600; background: var(--buy); border-color: var(--buy); color: var(--buy-ink); }
.group-count { margin: 4px 0 10px; } .group-count h3 { font-size: 16px; font-weight: 500; color: var(--soft); }
.group-pages .pages { display: flex; gap: 8px; margin-bottom: 14px; }
.list-group-item { background: var(--card); border: 1px solid var(--line); border-radius: var(--round); overflow: hidden; }
.about { min-width: 0; } .about > * { overflow-wrap: anywhere; }
.product-title { font-size: 16px; font-weight: 500; line-height: 1.35; }
.product-asin { font-size: 12px; font-weight: 400; } .product-asin::before { content: 'Item '; color: var(--soft); }
.product-link { color: var(--link); }
.product-price { font-size: 20px; }
.product-rating { font-size: 13px; font-weight: 400; color: var(--soft); }
.stars::before { content: ''; display: inline-block; width: 90px; height: 18px; margin-right: 8px; vertical-align: -3px; background: linear-gradient(90deg, #f2a417 var(--full), #d7d7d4 var(--full)); mask: ${STAR} 0 0 / 18px 18px repeat-x; }
${STARS}
.result-img, .item-page-img { object-fit: contain; }
.item-page-img { display: block; width: 100%; aspect-ratio: 1; border: 1px solid var(--line); border-radius: var(--round); }
.option-group { border: 0; margin: 0 0 14px; padding: 0; min-width: 0; } .option-group h4 { font-size: 14px; margin-bottom: 6px; text-transform: capitalize; }
.radio-toolbar { display: flex; flex-wrap: wrap; gap: 8px; }
.radio-toolbar input { position: absolute; width: 1px; height: 1px; opacity: 0; }
.radio-toolbar label { padding: 7px 14px; font-size: 14px; background: var(--card); border: 1px solid var(--line); border-radius: var(--chip); cursor: pointer; white-space: pre-wrap; overflow-wrap: anywhere; }
.radio-toolbar input:checked + label { border-color: var(--accent); box-shadow: inset 0 0 0 1px var(--accent); background: var(--note); font-weight: 600; }
.group-about h2 { font-size: 24px; line-height: 1.25; margin-bottom: 8px; overflow-wrap: anywhere; }
.price { font-size: 24px; margin: 4px 0; color: var(--price); } .rating { font-size: 14px; font-weight: 500; color: var(--soft); }
.group-tabs { display: flex; gap: 8px; flex-wrap: wrap; }
.page-item { display: grid; gap: 4px 36px; grid-template-columns: minmax(0, 5fr) minmax(0, 6fr); grid-template-rows: auto auto auto auto auto 1fr; grid-template-areas: 'task task' 'back back' 'picture about' 'picture options' 'picture buy' 'picture tabs'; }
.group-task { grid-area: task; } .page-item .group-back { grid-area: back; } .page-item .group-picture { grid-area: picture; max-width: 440px; }
.page-item .group-about { grid-area: about; margin-bottom: 14px; } .page-item .group-options { grid-area: options; } .page-item .group-tabs { grid-area: tabs; align-self: start; margin-top: 14px; } .page-item .group-buy { grid-area: buy; } .group-buy form { width: min(340px, 100%); }
.page-results { display: grid; grid-template-columns: minmax(0, 1fr) auto; grid-template-areas: 'task task' 'back back' 'count pages' 'hits hits'; }
.page-results .group-back { grid-area: back; } .page-results .group-count { grid-area: count; } .page-results .group-pages { grid-area: pages; } .page-results .group-hits { grid-area: hits; }
.page-cart .group-picture { max-width: 260px; margin-bottom: 14px; } .page-cart .group-about { margin-bottom: 10px; } .page-cart h3 { font-size: 26px; }
.group-content { background: var(--card); border: 1px solid var(--line); border-radius: var(--round); padding: 20px 26px; margin-bottom: 12px; max-width: 860px; }
.product-info, .attribute { white-space: pre-wrap; overflow-wrap: anywhere; }
.group-content ul { margin: 0; padding-left: 20px; } .group-content li { margin: 6px 0; }
.review { padding: 14px 0; border-top: 1px solid var(--line); } .review h4 { font-size: 16px; } .review-by { font-size: 13px; color: var(--soft); margin: 2px 0 4px; }
#thankyou, #stats { text-align: center; } #thankyou h1 { margin: 24px 0; } #stats h3 { margin: 12px 0 4px; }
.page-done .group-content { max-width: none; }
#parts { margin: 20px auto; border-collapse: collapse; background: #fff; } #parts td, #parts th { padding: 7px 16px; border: 1px solid #ddd; text-align: left; }
.popup { position: fixed; z-index: 10; }
.popup-card { background: #fff; color: #222; border-radius: 14px; padding: 24px 28px; box-shadow: 0 12px 48px rgb(0 0 0 / .35); }
.popup h3 { font-size: 20px; margin-bottom: 6px; } .popup .btn { margin-top: 14px; background: #222; border-color: #222; color: #fff; }
.popup-window { inset: 0; display: grid; place-items: center; padding: 24px; background: rgb(20 20 20 / .55); }
.popup-window .popup-card { width: min(440px, 100%); }
.popup-banner { left: 0; right: 0; bottom: 0; } .popup-banner .popup-card { border-radius: 14px 14px 0 0; min-height: 38vh; }
.popup-corner { right: 20px; bottom: 20px; width: min(340px, calc(100% - 40px)); }
@media (max-width: 700px) {
  .site-aisles, .site-name span, .site-cart span { display: none; }
  .site-header { justify-content: space-between; padding: 10px 14px; } .site-name b { font-size: 19px; }
  #shop { padding: 12px 14px 28px; } .site-shelf { padding: 0 14px 32px; } .site-shelf div { grid-template-columns: repeat(3, 1fr); }
  .group-logo { margin-top: 16px; } .group-logo h2 { font-size: 26px; }
  .theme .page-item { display: flex; flex-direction: column; } .theme .page-item .group-tabs { margin: 12px 0 0; }
  .theme .page-item .group-task { order: 1; } .theme .page-item .group-back { order: 2; } .theme .page-item .group-picture { order: 3; width: min(280px, 100%); align-self: center; margin-bottom: 10px; } .theme .page-item .group-about { order: 4; } .theme .page-item .group-options { order: 5; } .theme .page-item .group-buy { order: 6; } .theme .page-item .group-tabs { order: 7; }
  .theme .page-results { display: flex; flex-direction: column; }
  .group-about h2 { font-size: 20px; } .group-content { padding: 14px 16px; } .group-buy form { width: 100%; }
}
`;
