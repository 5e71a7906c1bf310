import { call, post as send } from "./api.js";
import { avatar } from "./avatar.js";
import { hear, tell } from "./bus.js";
import { compose } from "./compose.js";
import { confirm } from "./dialogs.js";
import { h, hidden, icon, newId, say, toast } from "./dom.js";
import { ago, exact, fullTime, short } from "./format.js";
import { safeHtml } from "./html.js";
import { isMe } from "./session.js";

/** Posts as articles. `data-id` is the id of the entry, `data-post` that of the post that a boost shows. */

export const profileLink = (account) => `#/@${account.acct}`;

export const nameOf = (account) => account.display_name || account.username;

export function renderPost(status, { focused = false } = {}) {
    const shown = status.reblog ?? status;
    const author = newId("author");
    const content = newId("content");
    return h(
        "article",
        {
            class: focused ? "post focused" : "post",
            tabindex: "0",
            "data-id": status.id,
            "data-post": shown.id,
            "data-testid": "post",
            "aria-labelledby": author,
            "aria-describedby": content,
            onclick: (event) => openUnlessBusy(event, shown),
        },
        h(
            "div",
            { class: "card" },
            status.reblog && boostedBy(status.account),
            h(
                "div",
                { class: "post-grid" },
                h(
                    "a",
                    { href: profileLink(shown.account), tabindex: "-1", "aria-hidden": "true" },
                    avatar(shown.account.id),
                ),
                h(
                    "div",
                    null,
                    head(shown, author),
                    shown.in_reply_to_id && !focused && replying(shown),
                    h("div", { class: "content", id: content }, safeHtml(shown.content)),
                    media(shown),
                    focused && h("p", { class: "stamp" }, fullTime(shown.created_at)),
                    actions(status, shown),
                ),
            ),
        ),
    );
}

function boostedBy(account) {
    return h(
        "p",
        { class: "context boosted" },
        icon("boost"),
        h("span", null, h("a", { href: profileLink(account) }, nameOf(account)), " boosted"),
    );
}

function head(shown, id) {
    return h(
        "div",
        { class: "post-head" },
        h(
            "a",
            { class: "who", href: profileLink(shown.account), id },
            h("span", { class: "name" }, nameOf(shown.account)),
            h("span", { class: "acct" }, `@${shown.account.acct}`),
        ),
        h(
            "a",
            { class: "when", href: `#/post/${shown.id}` },
            h(
                "time",
                { datetime: shown.created_at, title: fullTime(shown.created_at), "data-ago": true },
                ago(shown.created_at),
            ),
        ),
    );
}

function replying(shown) {
    const self = shown.in_reply_to_account_id === shown.account.id;
    return h("a", { class: "replying", href: `#/post/${shown.id}` }, self ? "continues a thread" : "answers a post");
}

/** Pictures of this server only; the page's policy allows no others. */
function media(shown) {
    const pictures = (shown.media_attachments ?? []).filter(
        (one) => one.type === "image" && new URL(one.url, location.href).origin === location.origin,
    );
    return (
        pictures.length > 0 &&
        h(
            "div",
            { class: pictures.length > 1 ? "media many" : "media" },
            pictures.map((one) =>
                h("img", { src: one.preview_url ?? one.url, alt: one.description ?? "", loading: "lazy" }),
            ),
        )
    );
}

function actions(status, shown) {
    return h(
        "div",
        { class: "actions", role: "group", "aria-label": "Actions" },
        action("reply", "Reply", shown.replies_count, { onclick: () => compose(shown) }),
        action("boost", "Boost", shown.reblogs_count, {
            "aria-pressed": String(Boolean(shown.reblogged)),
            onclick: (event) => toggle(event.currentTarget, shown, "reblog", "unreblog"),
        }),
        action("like", "Like", shown.favourites_count, {
            "aria-pressed": String(Boolean(shown.favourited)),
            onclick: (event) => toggle(event.currentTarget, shown, "favourite", "unfavourite"),
        }),
        isMe(shown.account)
            ? action("delete", "Delete", 0, { onclick: () => remove(shown) })
            : h("span", { class: "action", "aria-hidden": "true" }),
    );
}

const ICONS = { reply: "reply", boost: "boost", like: "heart", delete: "bin" };

function action(kind, name, number, attributes) {
    return h(
        "button",
        { type: "button", class: `action ${kind}`, "data-testid": kind, ...attributes },
        icon(ICONS[kind]),
        hidden(name),
        h("span", { class: "number", title: exact(number) }, number ? short(number) : ""),
    );
}

/** Shows the change at once, and takes it back if the server refuses it. */
async function toggle(button, shown, on, off) {
    const wasOn = button.getAttribute("aria-pressed") === "true";
    if (button.getAttribute("aria-busy") === "true") {
        return;
    }
    const number = Number(button.querySelector(".number").title.replaceAll(",", "")) || 0;
    button.setAttribute("aria-busy", "true");
    show(button, !wasOn, Math.max(0, number + (wasOn ? -1 : 1)));
    button.classList.toggle("just", !wasOn);
    try {
        const answer = await send(`/api/v1/statuses/${shown.id}/${wasOn ? off : on}`);
        tell("post-changed", answer.reblog ?? answer);
    } catch (error) {
        show(button, wasOn, number);
        toast(error.message);
    } finally {
        button.removeAttribute("aria-busy");
    }
}

function show(button, pressed, number) {
    button.setAttribute("aria-pressed", pressed);
    const text = button.querySelector(".number");
    text.textContent = number ? short(number) : "";
    text.title = exact(number);
}

async function remove(shown) {
    if (!(await confirm("Delete this post?", "It disappears from all feeds.", "Delete"))) {
        return;
    }
    try {
        await call("DELETE", `/api/v1/statuses/${shown.id}`);
    } catch (error) {
        if (error.status !== 404) {
            toast(`The post was not deleted. ${error.message}`);
            return;
        }
    }
    tell("post-deleted", shown.id);
    say("The post was deleted.");
}

function openUnlessBusy(event, shown) {
    const selected = getSelection()?.toString();
    if (!event.defaultPrevented && !selected && !event.target.closest("a, button, .actions, .post.focused")) {
        location.hash = `#/post/${shown.id}`;
    }
}

/** All places in the page that show the post get its new numbers. */
hear("post-changed", (shown) => {
    for (const article of document.querySelectorAll(`.post[data-post="${CSS.escape(shown.id)}"]`)) {
        show(article.querySelector(".boost"), Boolean(shown.reblogged), shown.reblogs_count);
        show(article.querySelector(".like"), Boolean(shown.favourited), shown.favourites_count);
        const replies = article.querySelector(".reply .number");
        replies.textContent = shown.replies_count ? short(shown.replies_count) : "";
    }
});

hear("posted", (status) => {
    for (const article of document.querySelectorAll(
        `.post[data-post="${CSS.escape(status.in_reply_to_id ?? "none")}"]`,
    )) {
        const number = article.querySelector(".reply .number");
        const replies = Number(number.title.replaceAll(",", "")) + 1;
        number.textContent = short(replies);
        number.title = exact(replies);
    }
});
