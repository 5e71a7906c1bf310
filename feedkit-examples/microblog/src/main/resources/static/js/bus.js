/** Events between the parts of the page. */
const target = new EventTarget();

export function tell(name, detail) {
    target.dispatchEvent(new CustomEvent(name, { detail }));
}

/** Listens until the returned function is called. */
export function hear(name, listener) {
    const heard = (event) => listener(event.detail);
    target.addEventListener(name, heard);
    return () => target.removeEventListener(name, heard);
}
