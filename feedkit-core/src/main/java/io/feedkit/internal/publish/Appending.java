package io.feedkit.internal.publish;

import io.feedkit.Published;
import io.feedkit.fanout.FanoutMode;
import io.feedkit.spi.Outbox.Appended;
import io.feedkit.spi.Outbox.Publication;
import io.feedkit.spi.OutboxWriter;
import java.util.ArrayList;
import java.util.List;

/** What the outbox has answered about a post, and how the post is fanned out. */
record Appending(Appended appended, FanoutMode mode) {

    /** Appends posts in one atomic step. */
    static List<Appending> append(OutboxWriter writer, List<Publication> publications) {
        List<Appended> appended = writer.append(publications);
        List<Appending> answers = new ArrayList<>(publications.size());
        for (int i = 0; i < publications.size(); i++) {
            answers.add(new Appending(appended.get(i), publications.get(i).mode()));
        }
        return answers;
    }

    boolean isNew() {
        return appended.status() == Published.Status.NEW;
    }

    /** Whether the outbox holds the post back. Then the task does everything, when the post's time has come. */
    boolean isAhead() {
        return appended.heldBack();
    }

    Published published() {
        return new Published(appended.status(), appended.post());
    }
}
