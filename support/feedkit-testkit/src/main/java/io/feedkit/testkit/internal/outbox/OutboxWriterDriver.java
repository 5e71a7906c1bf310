package io.feedkit.testkit.internal.outbox;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.Post;
import io.feedkit.PostKey;
import io.feedkit.Published;
import io.feedkit.fanout.FanoutMode;
import io.feedkit.spi.Outbox.Appended;
import io.feedkit.spi.Outbox.Publication;
import io.feedkit.spi.OutboxWriter;
import java.util.Collection;
import java.util.List;

/** One post at a time on top of the batches of an outbox, or of an outbox in a transaction. */
public class OutboxWriterDriver {

    private final OutboxWriter writer;

    public OutboxWriterDriver(OutboxWriter writer) {
        this.writer = writer;
    }

    public Appended append(Post post, FanoutMode mode) {
        List<Appended> answers = writer.append(List.of(new Publication(post, mode)));
        assertThat(answers).as("answers to one publication").hasSize(1);
        return answers.get(0);
    }

    public Appended append(Post post) {
        return append(post, FanoutMode.PUSH);
    }

    /** Appends posts never published before, with tasks to push them. */
    public void publish(Collection<Post> posts) {
        List<Appended> answers = writer.append(posts.stream()
                .map(post -> new Publication(post, FanoutMode.PUSH))
                .toList());
        assertThat(answers).as("answers to publications").hasSameSizeAs(posts);
        assertThat(answers).extracting(Appended::status).containsOnly(Published.Status.NEW);
    }

    public void publish(Post... posts) {
        publish(List.of(posts));
    }

    public boolean delete(PostKey key) {
        List<Boolean> answers = writer.delete(List.of(key));
        assertThat(answers).as("answers to one deletion").hasSize(1);
        return answers.get(0);
    }
}
