import { post } from "./api.js";
import { avatar } from "./avatar.js";
import { tell } from "./bus.js";
import { openDialog } from "./dialogs.js";
import { h, newId, s, say } from "./dom.js";
import { plainText } from "./html.js";
import { session } from "./session.js";

const LIMIT = 500;

/** Texts that were not sent, by the post they answer. */
const drafts = new Map();

/** Opens the dialog for a new post, or for a reply to one. */
export function compose(answered = null) {
    const title = answered ? `Reply to ${answered.account.display_name}` : "New post";
    const dialog = openDialog(title, (close) => composer(answered, close));
    dialog.querySelector("textarea").focus();
}

function composer(answered, close) {
    const key = answered?.id ?? "";
    const sendKey = crypto.randomUUID?.() ?? String(Math.random());
    const field = newId("text");
    const text = h("textarea", {
        id: field,
        name: "status",
        "data-testid": "compose-text",
        placeholder: answered ? "Your reply" : "What is new?",
        "aria-describedby": `${field}-count ${field}-error`,
    });
    text.value = drafts.get(key) ?? "";
    const counter = makeCounter(`${field}-count`);
    const error = h("p", { class: "form-error", id: `${field}-error`, role: "alert" });
    const submit = h(
        "button",
        { type: "submit", class: "primary", "data-testid": "compose-send" },
        answered ? "Reply" : "Post",
    );
    const check = () => {
        const length = [...text.value].length;
        counter.show(length);
        submit.disabled = text.value.trim() === "" || length > LIMIT;
        drafts.set(key, text.value);
    };
    const send = async (event) => {
        event.preventDefault();
        if (submit.disabled) {
            return;
        }
        submit.disabled = true;
        error.textContent = "";
        try {
            const status = await post(
                "/api/v1/statuses",
                { status: text.value, in_reply_to_id: answered?.id, visibility: "public" },
                { "Idempotency-Key": sendKey },
            );
            drafts.delete(key);
            close();
            say("Your post was sent.");
            tell("posted", status);
        } catch (failure) {
            error.textContent = `Your post was not sent. ${failure.message}`;
            submit.disabled = false;
        }
    };
    text.addEventListener("input", check);
    text.addEventListener("keydown", (event) => {
        if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
            send(event);
        }
    });
    const form = h(
        "form",
        { class: "composer", "data-testid": "compose", onsubmit: send },
        answered && h("p", { class: "quoted" }, plainText(answered.content)),
        h(
            "div",
            { class: "post-grid" },
            avatar(session.me.id),
            h("div", null, h("label", { class: "sr", for: field }, answered ? "Your reply" : "Text of the post"), text),
        ),
        h("div", { class: "rule" }),
        error,
        h("div", { class: "dialog-foot" }, counter.element, submit),
    );
    check();
    return form;
}

function makeCounter(id) {
    const length = 2 * Math.PI * 10;
    const ring = s("circle", { class: "fill", cx: 13, cy: 13, r: 10, "stroke-dasharray": length });
    const picture = s(
        "svg",
        { viewBox: "0 0 26 26", "aria-hidden": "true" },
        s("circle", { cx: 13, cy: 13, r: 10 }),
        ring,
    );
    const text = h("span", { id });
    const element = h("span", { class: "counter" }, picture, text);
    return {
        element,
        show(used) {
            const left = LIMIT - used;
            ring.setAttribute("stroke-dashoffset", length * (1 - Math.min(1, used / LIMIT)));
            text.textContent = left < 0 ? `${-left} too many` : `${left} left`;
            element.classList.toggle("near", left >= 0 && left <= 50);
            element.classList.toggle("over", left < 0);
        },
    };
}
