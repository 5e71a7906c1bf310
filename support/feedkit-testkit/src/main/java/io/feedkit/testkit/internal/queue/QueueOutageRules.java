package io.feedkit.testkit.internal.queue;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.queue.FanoutQueue.Lane;
import io.feedkit.queue.FanoutQueue.Received;
import io.feedkit.queue.FanoutQueue.Sent;
import io.feedkit.queue.FanoutQueue.Status;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** A queue that cannot be reached for a while. */
public abstract class QueueOutageRules extends QueueRules {

    protected QueueOutageRules(QueueKit kit) {
        super(kit);
    }

    @AfterEach
    void endOutage() {
        kit.endOutage();
    }

    /** Fails if a call takes longer than the kit allows. */
    private <T> T inTime(String call, Callable<T> callable) {
        CompletableFuture<T> answer = new CompletableFuture<>();
        Thread caller = new Thread(
                () -> {
                    try {
                        answer.complete(callable.call());
                    } catch (Exception e) {
                        answer.completeExceptionally(e);
                    }
                },
                "caller");
        caller.setDaemon(true);
        caller.start();
        try {
            return answer.get(kit.longestCall().toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            throw new AssertionError(call + " did not return within " + kit.longestCall(), e);
        } catch (ExecutionException e) {
            throw new AssertionError(call + " failed: " + e.getCause(), e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted during " + call, e);
        }
    }

    private void inTime(String call, Runnable runnable) {
        inTime(call, () -> {
            runnable.run();
            return true;
        });
    }

    /** Sends until the queue confirms. */
    private List<String> sendAgain(String beginning) {
        List<String> texts = texts(beginning, 3);
        eventually(
                "the queue confirms again",
                () -> inTime("send", () -> queue.send(messages(Lane.SMALL, texts)))
                        .equals(List.of(Sent.CONFIRMED, Sent.CONFIRMED, Sent.CONFIRMED)));
        return texts;
    }

    @Test
    @DisplayName("no call fails or hangs while the queue cannot be reached, and no message is confirmed")
    void answersInTime() {
        List<String> texts = send(Lane.SMALL, "t", 10);
        Receiver receiver = receiver(Lane.SMALL, 5).receive(5);
        kit.beginOutage();
        for (int i = 0; i < 3; i++) {
            assertThat(inTime("send", () -> queue.send(messages(Lane.SMALL, texts))))
                    .hasSameSizeAs(texts)
                    .doesNotContain(Sent.CONFIRMED);
        }
        inTime("status", queue::status);
        inTime("poll", () -> receiver.subscription().poll(10));
        inTime("acknowledge", () -> receiver.acknowledge(receiver.all().subList(0, 3)));
        inTime("refuse", () -> receiver.refuse(receiver.all().subList(3, 5), "unknown"));
        Receiver another = inTime("receive", () -> receiver(Lane.BULK, 5));
        inTime("close", another::close);
        inTime("close", receiver::close);
        inTime("close of the queue", queue::close);
        assertThat(queue.status()).isEqualTo(Status.UNREACHABLE);
    }

    @Test
    @DisplayName("the status shows an outage and its end")
    void status() {
        assertThat(queue.status()).isEqualTo(Status.OPEN);
        kit.beginOutage();
        inTime("send", () -> queue.send(messages(Lane.SMALL, texts("t", 1))));
        eventually("the queue is unreachable", () -> queue.status() == Status.UNREACHABLE);
        kit.endOutage();
        eventually("the queue is open", () -> queue.status() == Status.OPEN);
    }

    /** An outage that the queue notices. */
    private void outage() {
        kit.beginOutage();
        inTime("send", () -> queue.send(messages(Lane.BULK, texts("lost", 1))));
        kit.endOutage();
    }

    @Test
    @DisplayName("a subscription continues by itself after an outage")
    void goesOn() {
        Receiver receiver = receiver(Lane.SMALL, 10);
        receiver.receive(send(Lane.SMALL, "t", 3)).acknowledgeAll();
        outage();
        receiver.receive(sendAgain("later"));
    }

    @Test
    @DisplayName("messages from before an outage are delivered again and do not count towards the bound; their"
            + " acknowledgements are ignored")
    void comesAgain() {
        List<String> texts = send(Lane.SMALL, "t", 1);
        Receiver receiver = receiver(Lane.SMALL, 1).receive(texts);
        List<Received> early = List.copyOf(receiver.all());
        outage();
        receiver.receive(2);
        assertThat(receiver.texts()).hasSameElementsAs(texts);
        receiver.acknowledge(early);
        receiver.refuse(early, "too late");
        receiver.close();
        Receiver second = receiver(Lane.SMALL, 10).receive(texts).drain();
        assertThat(kit.deadLetters()).as("dead letters").isEmpty();
        second.close();
        assertThat(receiver(Lane.SMALL, 10).receiveTheRest().texts())
                .as("messages after their acknowledgement")
                .isEmpty();
    }

    @Test
    @DisplayName("messages confirmed before an outage arrive after it")
    void confirmedBefore() {
        List<String> texts = send(Lane.SMALL, "t", 100);
        outage();
        receiver(Lane.SMALL, 200).receive(texts);
    }

    @Test
    @DisplayName("a subscription that begins during an outage receives messages when the queue can be reached")
    void beginsLater() {
        kit.beginOutage();
        inTime("send", () -> queue.send(messages(Lane.BULK, texts("t", 1))));
        Receiver receiver = inTime("receive", () -> receiver(Lane.SMALL, 10));
        assertThat(receiver.subscription().poll(1)).isEmpty();
        kit.endOutage();
        receiver.receive(sendAgain("t"));
    }
}
