package io.feedkit.examples.guides;

import io.feedkit.spi.SeenMarks;
import io.feedkit.spi.SeenPosts;
import io.feedkit.testkit.SeenMarksCompatibilityKit;
import io.feedkit.testkit.SettableClock;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What docs/writing-a-store.md shows, between "guide" and "end", with the kit that it names. */
@DisplayName("The page on writing a store")
class WritingAStoreTest extends SeenMarksCompatibilityKit {

    // guide
    static final class MapSeenMarks implements SeenMarks {

        private final Map<String, SeenPosts> marks = new ConcurrentHashMap<>();

        @Override
        public void markSeen(List<Seen> seen) {
            seen.forEach(each -> marks.merge(each.reader(), each.posts(), SeenPosts::and));
        }

        @Override
        public void reset(List<Seen> seen) {
            seen.forEach(each -> marks.put(each.reader(), each.posts()));
        }

        @Override
        public List<SeenPosts> lastSeen(List<String> readers) {
            return readers.stream()
                    .map(reader -> marks.getOrDefault(reader, SeenPosts.NOTHING))
                    .toList();
        }

        @Override
        public void forget(Collection<String> readers) {
            readers.forEach(marks::remove);
        }
    }
    // end

    // guide
    private final SettableClock clock = SettableClock.startingAt(Instant.parse("2026-01-01T00:00:00Z"));
    private final SeenMarks marks = new MapSeenMarks();

    @Override
    protected SeenMarks seenMarks() {
        return marks;
    }

    @Override
    protected void pass(Duration duration) {
        clock.advance(duration);
    }

    @Override
    protected long now() {
        return clock.millis();
    }
    // end

    @Test
    @DisplayName("shows what is tested here")
    void isThisOne() throws IOException {
        GuideTexts.assertShown("../writing-a-store.md", "WritingAStoreTest");
    }
}
