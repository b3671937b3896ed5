/** The start of the page. */
import { render } from 'preact';
import 'uplot/dist/uPlot.min.css';
import './styles/style.css';
import './styles/table.css';
import './styles/charts.css';
import './styles/episodes.css';
import './styles/episode.css';
import './styles/stages.css';
import './styles/widths.css';
import { App } from './app.js';

render(<App />, document.querySelector('#app')!);
