import { call } from "./api.js";
import { avatar } from "./avatar.js";
import { h, newId, s, toast } from "./dom.js";

/** Log-in, sign-up, and the accounts of the demo. `enter(token)` is called with a token of an account. */

const SCOPES = "read write follow";

async function appToken() {
    const { data: app } = await call("POST", "/api/v1/apps", {
        token: null,
        json: { client_name: "Microblog page", redirect_uris: "urn:ietf:wg:oauth:2.0:oob", scopes: SCOPES },
    });
    return { client_id: app.client_id, client_secret: app.client_secret };
}

async function tokenBy(grant) {
    const { data } = await call("POST", "/oauth/token", { token: null, form: { scope: SCOPES, ...grant } });
    return data.access_token;
}

async function logIn(username, password) {
    return tokenBy({ grant_type: "password", username, password, ...(await appToken()) });
}

async function signUp(username, email, password) {
    const token = await tokenBy({ grant_type: "client_credentials", ...(await appToken()) });
    const { data } = await call("POST", "/api/v1/accounts", {
        token,
        json: { username, email, password, agreement: true, locale: "en" },
    });
    return data.access_token;
}

export function loginView(message, enter) {
    const demo = h("div", { class: "box", hidden: true });
    const forms = h("div");
    const show = (kind) => forms.replaceChildren(kind === "log-in" ? loginForm(enter) : signUpForm(enter));
    show("log-in");
    fillDemo(demo, enter);
    const root = h(
        "section",
        { class: "welcome" },
        h(
            "div",
            { class: "hero" },
            h("h1", { tabindex: "-1" }, "A feed that shows its work"),
            h(
                "p",
                null,
                "Read, write and follow. Beside each page you see what FeedKit did to make it: what came from your inbox, what from authors’ outboxes, and how long it took.",
            ),
            streams(),
            h(
                "p",
                { class: "fine" },
                "This is an example application with invented people. Enter no real password and no real mail address; nothing here is kept for long.",
            ),
        ),
        h(
            "div",
            { class: "doors" },
            message && h("p", { class: "notice", role: "status" }, message),
            demo,
            h("div", { class: "box" }, doors(show), forms),
        ),
    );
    return { title: "Log in", root };
}

function doors(show) {
    const door = (value, text) =>
        h(
            "label",
            null,
            h("input", {
                type: "radio",
                name: "door",
                value,
                checked: value === "log-in",
                "data-testid": `door-${value}`,
                onchange: () => show(value),
            }),
            h("span", null, text),
        );
    return h(
        "fieldset",
        { class: "segments" },
        h("legend", { class: "sr" }, "Log in or sign up"),
        door("log-in", "Log in"),
        door("sign-up", "Sign up"),
    );
}

/** Accounts with a preset token; none if the server has no demo. */
async function demoAccounts() {
    try {
        const { data } = await call("GET", "/api/feedkit/demo", { token: null });
        return Array.isArray(data) ? data : [];
    } catch {
        return [];
    }
}

async function fillDemo(box, enter) {
    const accounts = await demoAccounts();
    if (accounts.length === 0) {
        return;
    }
    const button = (one) =>
        h(
            "button",
            {
                type: "button",
                "data-testid": "demo",
                "data-username": one.username,
                onclick: () => enter(one.token).catch((error) => toast(error.message)),
            },
            avatar(one.id ?? one.username),
            h(
                "span",
                { class: "two" },
                h("span", { class: "name" }, one.displayName),
                h("span", { class: "acct" }, `@${one.username}`),
            ),
        );
    box.append(
        h("h2", null, "Look around as"),
        h(
            "ul",
            { class: "demo" },
            accounts.map((one) => h("li", null, button(one))),
        ),
    );
    box.hidden = false;
}

function field(label, attributes, hint) {
    const id = newId("field");
    const note = hint && h("span", { class: "hint", id: `${id}-hint` }, hint);
    const input = h("input", { id, required: true, "aria-describedby": hint && `${id}-hint`, ...attributes });
    return h("div", { class: "field" }, h("label", { for: id }, label), input, note);
}

function form(testId, fields, text, submit) {
    const error = h("p", { class: "form-error", role: "alert" });
    const button = h("button", { type: "submit", class: "primary" }, text);
    const onsubmit = async (event) => {
        event.preventDefault();
        const values = Object.fromEntries(new FormData(event.currentTarget));
        button.disabled = true;
        error.textContent = "";
        try {
            await submit(values);
        } catch (failure) {
            error.textContent = failure.message;
        } finally {
            button.disabled = false;
        }
    };
    return h("form", { "data-testid": testId, onsubmit }, fields, error, button);
}

function loginForm(enter) {
    return form(
        "log-in-form",
        [
            field("Name or mail address", {
                type: "text",
                name: "username",
                autocomplete: "username",
                autocapitalize: "none",
                spellcheck: "false",
            }),
            field("Password", { type: "password", name: "password", autocomplete: "current-password" }),
        ],
        "Log in",
        async ({ username, password }) => enter(await logIn(username.trim(), password)),
    );
}

function signUpForm(enter) {
    return form(
        "sign-up-form",
        [
            field(
                "Name",
                {
                    type: "text",
                    name: "username",
                    autocomplete: "username",
                    autocapitalize: "none",
                    spellcheck: "false",
                    pattern: "[A-Za-z0-9_]+",
                    maxlength: "30",
                },
                "Letters, digits and _",
            ),
            field(
                "Mail address",
                { type: "email", name: "email", autocomplete: "email" },
                "Nothing is sent to it. An invented one will do: me@example.com",
            ),
            field(
                "Password",
                { type: "password", name: "password", autocomplete: "new-password", minlength: "8" },
                "At least 8 characters",
            ),
        ],
        "Sign up",
        async ({ username, email, password }) => enter(await signUp(username.trim(), email.trim(), password)),
    );
}

/** The idea in one picture: two streams become one feed. */
function streams() {
    return s(
        "svg",
        {
            class: "streams",
            viewBox: "0 0 420 150",
            role: "img",
            "aria-label": "Pushed posts and pulled posts join in one feed",
        },
        s("path", { class: "s-push", d: "M12 36c120 0 130 40 240 40" }),
        s("path", { class: "s-pull", d: "M12 116c120 0 130-40 240-40" }),
        s("path", { class: "s-out", d: "M252 76h114" }),
        s("circle", { cx: 392, cy: 76, r: 13, fill: "currentColor" }),
        s("text", { x: 12, y: 18 }, "pushed to your inbox"),
        s("text", { x: 12, y: 145 }, "pulled from outboxes"),
        s("text", { x: 284, y: 54 }, "your feed"),
    );
}
