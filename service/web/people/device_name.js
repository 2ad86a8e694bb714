/** What a device is called in the list of signed-in devices. */

/** By parts of a browser's user agent: its common name, and its system. @type {[string, string][]} */
const BROWSERS = [
  ['Edg', 'Edge'],
  ['Firefox', 'Firefox'],
  ['Chrom', 'Chrome'],
  ['Safari', 'Safari'],
];
/** @type {[string, string][]} */
const SYSTEMS = [
  ['Android', 'Android'],
  ['iPhone', 'iPhone'],
  ['iPad', 'iPad'],
  ['Windows', 'Windows'],
  ['Mac', 'macOS'],
  ['Linux', 'Linux'],
];

/** The name of this device: its browser and its system, if known. */
export function deviceName() {
  const named = (/** @type {[string, string][]} */ names) =>
    names.find(([sign]) => navigator.userAgent.includes(sign))?.[1] ?? navigator.platform;
  return `${named(BROWSERS)} · ${named(SYSTEMS)}`;
}
