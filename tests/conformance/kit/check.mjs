// Runs named checks one after the other and prints a line for each; the Rust test counts them.

import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

export async function check(name, work) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error('it did not end within 120 seconds')), 120_000);
  });
  try {
    await Promise.race([work(), late]);
    console.log(`ok ${name}`);
  } catch (error) {
    const why = Array.isArray(error) ? JSON.stringify(error) : (error?.stack ?? String(error));
    console.log(`not ok ${name}: ${why.replaceAll('\n', ' | ')}`);
  } finally {
    clearTimeout(timer);
  }
}

// A check for each rule of a linter; what it found is listed by rule. What no rule of ours found is a failure too.
export async function checkRules(rules, findings) {
  const byRule = new Map();
  for (const finding of findings) byRule.set(finding.rule, [...(byRule.get(finding.rule) ?? []), finding]);
  for (const rule of new Set([...rules, ...byRule.keys()])) {
    await check(rule, async () => {
      const found = byRule.get(rule) ?? [];
      if (found.length > 0) throw found.slice(0, 20).map(({ where, message }) => `${where}: ${message}`);
    });
  }
}

// What a command says; one that fails throws all of it.
export async function run(command, ...options) {
  try {
    const { stdout } = await promisify(execFile)(command, options, { maxBuffer: 1 << 26 });
    return stdout;
  } catch (error) {
    throw new Error(`${command} ${options.join(' ')}: ${error.stdout}${error.stderr}`);
  }
}

// Some clients keep connections for later; nothing is left to wait for.
export function done() {
  process.exit(0);
}
