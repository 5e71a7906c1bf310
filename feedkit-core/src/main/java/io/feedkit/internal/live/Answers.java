package io.feedkit.internal.live;

import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The latest answers about one reader's feed, each for one question. Guarded by the connection. */
final class Answers {

    /** How many questions are kept: those of a few devices. */
    private static final int MOST = 4;

    /** How long an answer is given again. Then a call reads the feed, and so renews the inbox's live window. */
    static final long KEPT_MILLIS = TimeUnit.SECONDS.toMillis(30);

    private record Answer(Object question, Object answer, long version, long at) {}

    private final @Nullable Answer[] latest = new Answer[MOST];
    private int next;

    /** The answer to a question, if it was computed at this version, and lately. */
    <T> @Nullable T find(Object question, long version, long now, Class<T> type) {
        for (Answer each : latest) {
            if (each != null
                    && each.version() == version
                    && now - each.at() < KEPT_MILLIS
                    && now >= each.at()
                    && type.isInstance(each.answer())
                    && each.question().equals(question)) {
                return type.cast(each.answer());
            }
        }
        return null;
    }

    void keep(Object question, Object answer, long version, long now) {
        int place = next;
        for (int i = 0; i < MOST; i++) {
            Answer each = latest[i];
            if (each != null && each.question().equals(question)) {
                place = i;
            }
        }
        latest[place] = new Answer(question, answer, version, now);
        if (place == next) {
            next = (next + 1) % MOST;
        }
    }
}
