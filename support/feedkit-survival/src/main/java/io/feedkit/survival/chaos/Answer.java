package io.feedkit.survival.chaos;

/**
 * The result of a request to an engine.
 *
 * @param engine the engine: a restarted process is another engine
 * @param outcome the outcome
 * @param text the answer, or the exception
 * @param start the time before the call, in milliseconds
 * @param end the time after it
 */
record Answer(String engine, Outcome outcome, String text, long start, long end) {

    enum Outcome {

        /** The request was done. */
        OK,

        /** A typed exception says that nothing was done, or no engine was there. */
        REFUSED,

        /** The request may have been done: a typed exception says so, or the process died. */
        UNKNOWN,

        /** The request failed with another exception. */
        FAILED
    }

    static Answer of(String engine, String line, long start, long end) {
        int space = line.indexOf(' ');
        Outcome outcome = switch (line.substring(0, space)) {
            case "ok" -> Outcome.OK;
            case "refused" -> Outcome.REFUSED;
            case "unknown" -> Outcome.UNKNOWN;
            default -> Outcome.FAILED;
        };
        return new Answer(engine, outcome, line.substring(space + 1), start, end);
    }

    boolean isOk() {
        return outcome == Outcome.OK;
    }
}
