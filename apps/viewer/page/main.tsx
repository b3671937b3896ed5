/** The start of the page. */
import { render } from 'preact';
import 'uplot/dist/uPlot.min.css';
import './style.css';
import './table.css';
import './charts.css';
import './episodes.css';
import './episode.css';
import './widths.css';
import { App } from './app.js';

render(<App />, document.querySelector('#app')!);
