/** Times as people read them. */

/** An hour and minute, where the reader is. @param {string | undefined} moment RFC 3339 */
export function clockTime(moment) {
  if (!moment) return '';
  return new Date(moment).toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' });
}

/** When it was: the day too, unless it was today. @param {string} time RFC 3339 */
export function moment(time) {
  const then = new Date(time);
  const isToday = then.toDateString() === new Date().toDateString();
  return isToday
    ? clockTime(time)
    : `${then.toLocaleDateString([], { day: 'numeric', month: 'short', year: 'numeric' })}, ${clockTime(time)}`;
}

/** What is left on a clock: `4:05`, `9.3` in the last ten seconds, `2 d 3 h` for days. @param {number} ms */
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
  if (hours) return `${hours}:${two(minutes)}:${two(seconds % 60)}`;
  return `${minutes}:${two(seconds % 60)}`;
}

/** @param {number} number */
function two(number) {
  return String(number).padStart(2, '0');
}

/** How long ago, roughly. @param {string} moment @param {number} now */
export function ago(moment, now) {
  const minutes = Math.floor((now - Date.parse(moment)) / 60_000);
  if (minutes < 1) return 'just now';
  if (minutes < 60) return `${minutes} min ago`;
  const hours = Math.floor(minutes / 60);
  return hours < 24 ? `${hours} h ago` : `${Math.floor(hours / 24)} d ago`;
}
