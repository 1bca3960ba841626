// Bundles the console into the folder given as an argument: files with a hash of their content in
// their names and the page that names them, each compressed with gzip alone, since the server sends
// them as they are.
import { build } from 'esbuild';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { gzipSync } from 'node:zlib';

/** Bytes that all files together may have, compressed. */
const MOST = 600 * 1024;

const out = process.argv[2];
if (!out) {
  throw new Error('usage: node build.mjs FOLDER');
}

const result = await build({
  entryPoints: ['src/main.tsx', 'src/console.css', 'src/icon.svg'],
  loader: { '.svg': 'copy' },
  bundle: true,
  splitting: true,
  format: 'esm',
  target: 'es2022',
  jsx: 'automatic',
  jsxImportSource: 'preact',
  minify: true,
  legalComments: 'none',
  entryNames: '[name]-[hash]',
  chunkNames: '[name]-[hash]',
  outdir: out,
  metafile: true,
  write: false,
});

const names = result.outputFiles.map((file) => basename(file.path));
const named = (pattern) => names.find((name) => pattern.test(name));
const main = named(/^main-.*\.js$/);
// what the first script imports is asked for together with it
const imports = Object.entries(result.metafile.outputs)
  .find(([path]) => basename(path) === main)[1]
  .imports.filter((each) => each.kind === 'import-statement')
  .map((each) => `<link rel="modulepreload" href="/console/assets/${basename(each.path)}">\n`);
const page = readFileSync('src/index.html', 'utf8')
  .replace('main.js', main)
  .replace('console.css', named(/^console-.*\.css$/))
  .replace('icon.svg', named(/^icon-.*\.svg$/))
  .replace('<script', imports.join('') + '<script');

rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });
let first = 0;
let all = 0;
const write = (name, content) => {
  const compressed = gzipSync(content, { level: 9 });
  writeFileSync(join(out, name + '.gz'), compressed);
  all += compressed.length;
  if (page.includes(name) || name === 'index.html') {
    first += compressed.length;
  }
};
write('index.html', page);
for (const file of result.outputFiles) {
  write(basename(file.path), file.contents);
}
console.log(`console: ${names.length + 1} files, ${all} bytes compressed, ${first} of them for the first page`);
if (all > MOST) {
  throw new Error(`the console weighs more than ${MOST} bytes compressed`);
}
