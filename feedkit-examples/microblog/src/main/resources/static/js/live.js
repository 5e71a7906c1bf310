import { hear, tell } from "./bus.js";
import { session } from "./session.js";

/**
 * New posts as they are published. After a break the stream continues after the last event: the browser sends its id,
 * or, if it gave up, a new connection begins there.
 */

const NAMES = ["update", "delete", "notification", "announcement", "feedkit.catch_up", "feedkit.feed_changed"];

let source = null;
let cursor = null;
let timer = null;
let failures = 0;
let broke = false;

/** Begins after a cursor, if no stream is open. */
export function openLive(newer) {
    if (!source && !timer) {
        cursor = newer;
        connect();
    }
}

export function closeLive() {
    clearTimeout(timer);
    timer = null;
    source?.close();
    source = null;
    cursor = null;
    tell("live", "off");
}

/** Continues behind pages that were read meanwhile, if the old position leads nowhere. */
export function renewCursor(newer) {
    if (!source) {
        cursor = newer;
    }
}

/** The position up to which events have come. */
export const liveCursor = () => cursor;

function connect() {
    timer = null;
    const query = new URLSearchParams({ access_token: session.token, feedkit: "1" });
    if (cursor) {
        query.set("since", cursor);
    }
    source = new EventSource(`/api/v1/streaming/user?${query}`);
    source.onopen = () => {
        failures = 0;
        tell("live", "open");
        if (broke) {
            broke = false;
            tell("live-feedkit.catch_up"); // missed posts come by themselves, but not what was deleted meanwhile
        }
    };
    source.onerror = broken;
    for (const name of NAMES) {
        source.addEventListener(name, (event) => {
            cursor = event.lastEventId || cursor;
            tell(`live-${name}`, event.data);
        });
    }
}

function broken(event) {
    broke = true;
    tell("live", "waiting");
    if (event.target.readyState === EventSource.CLOSED) {
        source = null;
        failures++;
        timer = setTimeout(connect, Math.min(10_000, 500 * 2 ** failures) * (0.8 + Math.random() * 0.4));
        if (failures % 3 === 0) {
            tell("live-feedkit.catch_up"); // shows why: logged out, or not reachable
        }
    }
}

/** The network is back, or the tab: no reason to wait. */
function hurry() {
    if (timer && !document.hidden) {
        clearTimeout(timer);
        connect();
    }
}

addEventListener("online", hurry);
document.addEventListener("visibilitychange", hurry);
hear("signed-out", closeLive);
