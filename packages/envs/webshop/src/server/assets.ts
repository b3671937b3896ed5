/** Style and script of the pages. No animation, no caret, no outside address. */

export const STYLE = `
* { box-sizing: border-box; animation: none !important; transition: none !important; caret-color: transparent !important; }
html { scroll-behavior: auto !important; }
body { margin: 0; background: #f6f5f1; color: #222; font: 16px/1.4 'DejaVu Sans', Verdana, sans-serif; }
main { max-width: 960px; margin: 0 auto; padding: 16px; }
h1, h2, h3, h4, h5 { margin: 0 0 8px; font-weight: 600; }
h4 { font-size: 17px; } h5 { font-size: 15px; }
#instruction-text { background: #fff; border: 1px solid #ddd; border-radius: 8px; padding: 12px; margin-bottom: 12px; }
#logo { text-align: center; }
form { display: inline-block; margin: 0 8px 12px 0; }
input[type=text] { width: 560px; max-width: 100%; padding: 10px; font: inherit; border: 1px solid #888; border-radius: 6px; }
.btn { padding: 9px 16px; font: inherit; color: #fff; background: #2b5d8a; border: 1px solid #1c4468; border-radius: 6px; cursor: pointer; }
.btn-success { background: #2f7141; border-color: #1f5430; }
.purchase { background: #9a4a12; border-color: #7a380a; font-size: 19px; }
.btn:focus-visible, a:focus-visible, input:focus-visible + label { outline: 3px solid #d08a00; outline-offset: 2px; }
.list-group-item { display: flex; gap: 16px; background: #fff; border: 1px solid #ddd; border-radius: 8px; padding: 12px; margin-bottom: 8px; }
.about { min-width: 0; } .about > * { overflow-wrap: anywhere; }
.result-img { width: 120px; height: 120px; flex: none; }
.item-page-img { display: block; width: 240px; height: 240px; margin-bottom: 12px; }
.option-group { border: 0; margin: 0 0 8px; padding: 0; }
.radio-toolbar { display: flex; flex-wrap: wrap; gap: 6px; }
.radio-toolbar input { position: absolute; width: 1px; height: 1px; opacity: 0; }
.radio-toolbar label { padding: 6px 12px; background: #fff; border: 1px solid #888; border-radius: 6px; cursor: pointer; white-space: pre-wrap; overflow-wrap: anywhere; }
.radio-toolbar input:checked + label { background: #dbe8f4; border-color: #2b5d8a; font-weight: 600; }
.product-info, .attribute { background: #fff; padding: 8px 12px; margin: 4px 0; white-space: pre-wrap; overflow-wrap: anywhere; }
.details { display: none; }
pre { font: inherit; margin: 0; }
#thankyou, #stats { text-align: center; }
#parts { margin: 16px auto; border-collapse: collapse; background: #fff; }
#parts td, #parts th { padding: 6px 14px; border: 1px solid #ddd; text-align: left; }
main:focus { outline: 0; }
`;

/** An option is a page of its own: choosing it goes there. */
export const SCRIPT = `
addEventListener('change', (event) => {
  const address = event.target.dataset && event.target.dataset.url;
  if (address) location.assign(address);
});
addEventListener('pageshow', (event) => {
  if (event.persisted) location.reload();
});
`;
