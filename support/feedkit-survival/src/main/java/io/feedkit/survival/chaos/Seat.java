package io.feedkit.survival.chaos;

/** One of the engines as its clients see it. Another engine may take the seat. Thread-safe. */
interface Seat extends AutoCloseable {

    /** Asks the engine that has the seat now. */
    Answer ask(String request);

    @Override
    void close();

    /** A seat of an engine of this process. */
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
