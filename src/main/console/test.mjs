// Bundles the tests of the console's logic and runs them by Node's own runner.
import { build } from 'esbuild';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const out = mkdtempSync(join(tmpdir(), 'keelson-console-'));
try {
  await build({
    entryPoints: readdirSync('test').map((name) => join('test', name)),
    bundle: true,
    external: ['node:*'],
    format: 'esm',
    target: 'es2022',
    outdir: out,
    outExtension: { '.js': '.mjs' },
    logLevel: 'warning',
  });
  const files = readdirSync(out).map((name) => join(out, name));
  const { status } = spawnSync(process.execPath, ['--test', '--test-reporter=dot', '--test-timeout=20000', ...files], { stdio: 'inherit' });
  process.exitCode = status ?? 1;
} finally {
  rmSync(out, { recursive: true, force: true });
}
