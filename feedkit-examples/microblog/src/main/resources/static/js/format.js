/** Numbers, times and ids as text. */

const relative = new Intl.RelativeTimeFormat("en", { numeric: "auto", style: "narrow" });
const compact = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 });
const whole = new Intl.NumberFormat("en");
const day = new Intl.DateTimeFormat("en", { day: "numeric", month: "short", year: "numeric" });
const full = new Intl.DateTimeFormat("en", { dateStyle: "medium", timeStyle: "medium" });

export const short = (number) => compact.format(number);
export const exact = (number) => whole.format(number);
export const fullTime = (text) => full.format(new Date(text));

/** "1 post", "3 posts". */
export const count = (number, noun, ending = "s") => `${exact(number)} ${noun}${number === 1 ? "" : ending}`;

/** "now", "12 min. ago", or a date. */
export function ago(text) {
    const seconds = Math.round((Date.parse(text) - Date.now()) / 1000);
    const size = Math.abs(seconds);
    if (size < 5) {
        return "now";
    }
    if (size < 60) {
        return relative.format(seconds, "second");
    }
    if (size < 3600) {
        return relative.format(Math.round(seconds / 60), "minute");
    }
    if (size < 86_400) {
        return relative.format(Math.round(seconds / 3600), "hour");
    }
    return size < 6 * 86_400 ? relative.format(Math.round(seconds / 86_400), "day") : day.format(new Date(text));
}

/** Keeps the times in the page up to date. */
export function refreshTimes() {
    for (const time of document.querySelectorAll("time[data-ago]")) {
        const text = ago(time.dateTime);
        if (time.textContent !== text) {
            time.textContent = text;
        }
    }
}

/** Positive if the first id is newer. Ids are decimal numbers of more digits than a JavaScript number holds. */
export function compareIds(first, second) {
    return first.length - second.length || (first < second ? -1 : first > second ? 1 : 0);
}
