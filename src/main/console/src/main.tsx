import { render } from 'preact';
import { App } from './app';
import { showTextsAsTheyAre } from './text';

showTextsAsTheyAre();
const root = document.getElementById('app')!;
root.replaceChildren();
render(<App />, root);
