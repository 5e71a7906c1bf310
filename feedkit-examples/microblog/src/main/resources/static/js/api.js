import { tell } from "./bus.js";
import { session } from "./session.js";

/** Calls of the server. */

const TRIES = 6;
const TIME_LIMIT = 15_000;

/** A failure that the server reported, or status 0 if it could not be reached. */
export class ApiError extends Error {
    constructor(status, message) {
        super(message);
        this.status = status;
    }
}

const pause = (millis) => new Promise((done) => setTimeout(done, millis));

/**
 * Sends a request, again with growing pauses while the server is unavailable or asks for patience. All calls of this
 * page may be repeated: posts carry an Idempotency-Key.
 */
async function send(method, path, { json, form, headers, token = session.token } = {}) {
    const all = { Accept: "application/json", ...headers };
    if (token) {
        all.Authorization = `Bearer ${token}`;
    }
    if (json) {
        all["Content-Type"] = "application/json";
    }
    const body = json ? JSON.stringify(json) : form ? new URLSearchParams(form) : undefined;
    let delay = 400;
    for (let attempt = 1; ; attempt++) {
        const response = await attemptOnce(path, { method, headers: all, body });
        const again = [0, 429, 502, 503, 504].includes(response.status) && attempt < TRIES;
        if (!again) {
            tell("waiting", null);
            return response;
        }
        const asked = Number(response.headers?.get("Retry-After")) * 1000;
        tell("waiting", { status: response.status });
        await pause(Math.min(Math.max(asked || 0, delay), 8000) * (0.85 + Math.random() * 0.3));
        delay *= 2;
    }
}

async function attemptOnce(path, init) {
    try {
        return await fetch(path, { ...init, signal: AbortSignal.timeout(TIME_LIMIT) });
    } catch {
        return { status: 0, ok: false };
    }
}

async function failure(response) {
    if (response.status === 0) {
        return new ApiError(0, "The server cannot be reached.");
    }
    let text = "";
    try {
        const answer = await response.json();
        text = answer.error_description ?? answer.error ?? answer.detail ?? "";
    } catch {
        // the answer is not JSON
    }
    return new ApiError(response.status, text || `The server answered ${response.status}.`);
}

/** The answer with its headers: `{data, response}`. */
export async function call(method, path, options) {
    const response = await send(method, path, options);
    if (!response.ok) {
        const error = await failure(response);
        if (error.status === 401 && options?.token === undefined && session.token) {
            tell("signed-out", "You were logged out. Log in again.");
        }
        throw error;
    }
    const text = response.status === 204 ? "" : await response.text();
    return { data: text ? JSON.parse(text) : null, response };
}

export const get = async (path) => (await call("GET", path)).data;
export const post = async (path, json, headers) => (await call("POST", path, { json, headers })).data;

/** A page of a list: the items, and the path of the next page, which is null at the end. */
export async function readPage(path) {
    const { data, response } = await call("GET", path);
    const header = response.headers.get("X-FeedKit");
    return { items: data, next: nextOf(response.headers.get("Link")), feedkit: header ? JSON.parse(header) : null };
}

/** The path alone: behind a proxy the server may know itself by another name. */
function nextOf(link) {
    const found = /<([^>]+)>\s*;\s*rel="?next"?/.exec(link ?? "");
    if (!found) {
        return null;
    }
    const url = new URL(found[1], location.href);
    return url.pathname + url.search;
}
