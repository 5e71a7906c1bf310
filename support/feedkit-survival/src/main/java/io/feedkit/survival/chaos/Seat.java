package io.feedkit.survival.chaos;

/** A place for an engine, as its clients see it. A restarted engine takes the place of the one before. Thread-safe. */
interface Seat extends AutoCloseable {

    /** Sends a request to the engine that has the seat now. */
    Answer ask(String request);

    @Override
    void close();

    /** A seat of an engine in this process. */
    static Seat of(EngineSettings settings) {
        OpenEngine engine = OpenEngine.open(settings);
        return new Seat() {
            @Override
            public Answer ask(String request) {
                long start = System.currentTimeMillis();
                String line = engine.answer(request);
                return Answer.of(settings.name(), line, start, System.currentTimeMillis());
            }

            @Override
            public void close() {
                engine.close();
            }
        };
    }
}
