import { get } from "./api.js";
import { avatar } from "./avatar.js";
import { hear } from "./bus.js";
import { compose } from "./compose.js";
import { h } from "./dom.js";
import { plainText } from "./html.js";
import { nameOf, renderPost } from "./post.js";
import { session } from "./session.js";
import { head } from "./view-head.js";

/** A post with what it answers and its replies. */
export async function threadView(id) {
    const [status, context] = await Promise.all([get(`/api/v1/statuses/${id}`), get(`/api/v1/statuses/${id}/context`)]);
    const known = new Set([id, ...context.descendants.map((one) => one.id)]);
    const below = h(
        "div",
        null,
        context.descendants.map((one) => renderPost(one)),
    );
    const focused = renderPost(status, { focused: true });
    const reply = h(
        "button",
        { type: "button", class: "prompt", onclick: () => compose(status.reblog ?? status) },
        avatar(session.me.id),
        h("span", { class: "prompt-text" }, `Reply to ${nameOf((status.reblog ?? status).account)}`),
        h("span", { class: "prompt-post" }, "Write"),
    );
    const add = (one) => {
        if (one.in_reply_to_id && known.has(one.in_reply_to_id) && !known.has(one.id)) {
            known.add(one.id);
            below.append(renderPost(one));
        }
    };
    const drop = (gone) => {
        if (gone === id && root.isConnected) {
            history.length > 1 ? history.back() : (location.hash = "#/home");
        }
        root.querySelector(`.post[data-post="${CSS.escape(gone)}"]:not(.focused)`)?.remove();
    };
    const stop = [
        hear("posted", add),
        hear("live-update", (text) => add(JSON.parse(text))),
        hear("post-deleted", drop),
        hear("live-delete", drop),
    ];
    const root = h(
        "section",
        null,
        head("Thread", { back: true }),
        context.ancestors.map((one) => renderPost(one)),
        focused,
        reply,
        below,
    );
    return {
        title: `${nameOf(status.account)}: ${plainText(status.content).slice(0, 40)}`,
        root,
        begin: () => context.ancestors.length > 0 && focused.scrollIntoView({ block: "center" }),
        close: () => stop.forEach((end) => end()),
    };
}
