// Runs named checks one after the other and prints a line for each; the Rust test counts them.

export async function check(name, work) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error('it did not end within 60 seconds')), 60_000);
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

// Some clients keep connections for later; nothing is left to wait for.
export function done() {
  process.exit(0);
}
