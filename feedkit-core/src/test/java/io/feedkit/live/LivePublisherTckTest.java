package io.feedkit.live;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.Cursor;
import io.feedkit.FeedEngine;
import io.feedkit.memory.InMemoryFeedStore;
import java.lang.reflect.Method;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Flow;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.reactivestreams.tck.TestEnvironment;
import org.reactivestreams.tck.flow.FlowPublisherVerification;
import org.testng.ITestResult;
import org.testng.TestListenerAdapter;
import org.testng.TestNG;
import org.testng.xml.XmlClass;
import org.testng.xml.XmlInclude;
import org.testng.xml.XmlSuite;
import org.testng.xml.XmlTest;

/**
 * The tests of Reactive Streams for publishers run on TestNG, so this test runs them and reports what failed. Some wait
 * for the whole time-out, so they run in parallel: each group of rules has an environment of its own.
 */
@DisplayName("The publisher of a live feed")
@Timeout(120)
class LivePublisherTckTest {

    private static final int GROUPS = 4;

    @Test
    @DisplayName("passes the tests of Reactive Streams")
    void rules() {
        List<String> rules = Arrays.stream(Verification.class.getMethods())
                .filter(method -> method.isAnnotationPresent(org.testng.annotations.Test.class))
                .map(Method::getName)
                .distinct()
                .sorted()
                .toList();
        TestListenerAdapter results = new TestListenerAdapter();
        TestNG tests = new TestNG(false);
        tests.setVerbose(0);
        tests.setXmlSuites(List.of(suite(rules)));
        tests.addListener(results);
        tests.run();
        assertThat(results.getFailedTests())
                .extracting(LivePublisherTckTest::described)
                .isEmpty();
        assertThat(results.getConfigurationFailures()).isEmpty();
        assertThat(results.getPassedTests()).hasSizeGreaterThanOrEqualTo(30);
        assertThat(results.getSkippedTests())
                .extracting(ITestResult::getName)
                .as("tests that the TCK itself cannot do, or that are of recommendations")
                .allMatch(name -> name.startsWith("untested_") || name.startsWith("optional_"));
        assertThat(Stream.of(results.getPassedTests(), results.getSkippedTests())
                        .flatMap(List::stream)
                        .map(ITestResult::getName))
                .containsExactlyInAnyOrderElementsOf(rules);
    }

    private static XmlSuite suite(List<String> rules) {
        XmlSuite suite = new XmlSuite();
        suite.setParallel(XmlSuite.ParallelMode.TESTS);
        suite.setThreadCount(GROUPS);
        for (int group = 0; group < GROUPS; group++) {
            XmlTest test = new XmlTest(suite);
            test.setName("group " + group);
            XmlClass verification = new XmlClass(Verification.class);
            for (int i = group; i < rules.size(); i += GROUPS) {
                verification.getIncludedMethods().add(new XmlInclude(rules.get(i)));
            }
            test.setXmlClasses(List.of(verification));
        }
        return suite;
    }

    private static String described(ITestResult result) {
        return result.getName() + ": " + result.getThrowable();
    }

    /** A feed with as many posts as a test asks for. A subscriber's engine is closed when the subscriber has them. */
    public static final class Verification extends FlowPublisherVerification<LiveEvent> {

        private static final long NOTHING_FOR_MILLIS = 50;
        private static final long WITHIN_MILLIS = 2000;

        /** Tests that ask for more never receive the end. */
        private static final int MOST_POSTS = 3000;

        /** TestNG calls it. */
        public Verification() {
            super(new TestEnvironment(WITHIN_MILLIS, NOTHING_FOR_MILLIS));
        }

        @Override
        public Flow.Publisher<LiveEvent> createFlowPublisher(long elements) {
            InMemoryFeedStore store = InMemoryFeedStore.create();
            FeedEngine engine = FeedEngine.builder(store).workers(0).build();
            Cursor start = Cursor.at(Instant.now());
            engine.follow("reader", "author");
            for (int i = 0; i < Math.min(MOST_POSTS, elements); i++) {
                engine.publish("author", "post-" + i);
            }
            engine.fanout().drain();
            engine.close();
            return subscriber -> {
                FeedEngine own = FeedEngine.builder(store).workers(0).build();
                own.live("reader", start)
                        .subscribe(new Closing(subscriber, elements, () -> new Thread(own::close).start()));
            };
        }

        @Override
        public Flow.Publisher<LiveEvent> createFailedFlowPublisher() {
            FeedEngine closed = FeedEngine.inMemory().workers(0).build();
            Flow.Publisher<LiveEvent> publisher = closed.live("reader");
            closed.close();
            return publisher;
        }
    }

    /** Passes all calls on, and closes the engine after the last event. */
    private static final class Closing implements Flow.Subscriber<LiveEvent> {

        private final Flow.Subscriber<? super LiveEvent> subscriber;
        private final long elements;
        private final Runnable close;
        private long received;

        Closing(Flow.Subscriber<? super LiveEvent> subscriber, long elements, Runnable close) {
            this.subscriber = Objects.requireNonNull(subscriber);
            this.elements = elements;
            this.close = close;
        }

        @Override
        public void onSubscribe(Flow.Subscription subscription) {
            subscriber.onSubscribe(subscription);
            if (elements == 0) {
                close.run();
            }
        }

        @Override
        public void onNext(LiveEvent event) {
            received++;
            subscriber.onNext(event);
            if (received == elements) {
                close.run();
            }
        }

        @Override
        public void onError(Throwable failure) {
            subscriber.onError(failure);
        }

        @Override
        public void onComplete() {
            subscriber.onComplete();
        }
    }
}
