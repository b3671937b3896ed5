/** Opens the page: its first scene, and word that vlgym has ended. */

function showGone() {
  page.gone.hidden = false;
  document.body.classList.add('over');
}

// This response ends when vlgym does.
ask('open')
  .then((response) => response.body?.getReader().read())
  .then(showGone, showGone);
void load('state');
