/** Times as people read them. */

/**
 * The hour and minute, in the reader's time zone.
 * @param {string} time RFC 3339
 */
export function timeOfDay(time) {
  return new Date(time).toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' });
}

/**
 * The time of day, with the date unless it is today.
 * @param {string} time RFC 3339
 */
export function dateAndTime(time) {
  const date = new Date(time);
  if (date.toDateString() === new Date().toDateString()) return timeOfDay(time);
  const day = date.toLocaleDateString([], { day: 'numeric', month: 'short', year: 'numeric' });
  return `${day}, ${timeOfDay(time)}`;
}

/**
 * What remains on a clock: `4:05`, `9.3` in the last ten seconds, `2 d 3 h` for days.
 * @param {number} ms
 */
export function remaining(ms) {
  const left = Math.max(0, ms);
  if (left < 10_000) return (Math.floor(left / 100) / 10).toFixed(1);
  const seconds = Math.floor(left / 1000);
  const [days, hours, minutes] = [
    Math.floor(seconds / 86_400),
    Math.floor(seconds / 3600) % 24,
    Math.floor(seconds / 60) % 60,
  ];
  if (days) return `${days} d ${hours} h`;
  if (hours) return `${hours}:${twoDigits(minutes)}:${twoDigits(seconds % 60)}`;
  return `${minutes}:${twoDigits(seconds % 60)}`;
}

/** @param {number} number */
function twoDigits(number) {
  return String(number).padStart(2, '0');
}

/**
 * How long ago it was, roughly.
 * @param {string} time RFC 3339
 * @param {number} now in milliseconds
 */
export function ago(time, now) {
  const minutes = Math.floor((now - Date.parse(time)) / 60_000);
  if (minutes < 1) return 'just now';
  if (minutes < 60) return `${minutes} min ago`;
  const hours = Math.floor(minutes / 60);
  return hours < 24 ? `${hours} h ago` : `${Math.floor(hours / 24)} d ago`;
}
