package io.feedkit.internal.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.Post;
import io.feedkit.queue.FanoutQueue.Lane;
import io.feedkit.queue.FanoutQueue.Message;
import io.feedkit.spi.FanoutLog.Kind;
import io.feedkit.spi.FanoutLog.LentTask;
import io.feedkit.spi.FanoutLog.Loan;
import io.feedkit.spi.FanoutLog.Outage;
import io.feedkit.spi.FanoutLog.Task;
import io.feedkit.spi.KeyRange;
import io.feedkit.spi.Position;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("A message of the queue")
class TaskMessageTest {

    private static Message of(KeyRange range, String after) {
        Position post = Position.of(Post.of("bob", "p1", 1000));
        Task task = new Task("7", Kind.PUSH, post, post, 0, range, after, 0, Outage.NONE, 1000);
        return TaskMessage.of("db-1", new LentTask(task, new Loan("7", 255), false));
    }

    @Test
    @DisplayName("names the source of truth and the loan, and nothing else")
    void loan() {
        assertThat(of(KeyRange.ALL, "").text()).isEqualTo("1:db-1:ff:7");
        assertThat(TaskMessage.read("1:db-1:ff:7")).hasValue(new TaskMessage("db-1", new Loan("7", 255)));
    }

    @Test
    @DisplayName("travels with the small ones unless it is about a part of a huge task, also after the task has begun")
    void lane() {
        assertThat(of(KeyRange.ALL, "").lane()).isEqualTo(Lane.SMALL);
        assertThat(of(KeyRange.ALL, "reader-5").lane()).isEqualTo(Lane.SMALL);
        assertThat(of(new KeyRange("m", KeyRange.END), "").lane()).isEqualTo(Lane.BULK);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "2:x:ff:7",
                "1:ff:7",
                "1:x:fg:7",
                "1:x:ff:",
                "1:x:12345678901234567:7",
                "1:x:ff:a b",
                "1::ff:7"
            })
    @DisplayName("cannot be read if it is of another version, or incomplete")
    void unreadable(String text) {
        assertThat(TaskMessage.read(text)).isEmpty();
    }
}
