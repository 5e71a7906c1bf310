package io.feedkit.event;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedkit.Post;
import io.feedkit.PostKey;
import io.feedkit.counter.WriteBehindStatus;
import io.feedkit.fanout.Backlog;
import io.feedkit.fanout.DeadLetter;
import io.feedkit.fanout.FanoutMode;
import io.feedkit.fanout.QueueTraffic;
import io.feedkit.fanout.TaskKind;
import io.feedkit.spi.FanoutLog;
import java.lang.invoke.MethodType;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@DisplayName("Events and figures")
class EventsTest {

    private static final Post POST = Post.of("bob", "p1", 1000);

    /** Values, no two of which are equal. */
    private static final List<Object> VALUES = List.of(
            PostPublished.of(POST, FanoutMode.PUSH),
            PostPublished.of(POST, FanoutMode.PULL),
            PostDeleted.of(new PostKey("bob", "p1")),
            PostDeleted.of(new PostKey("bob", "p2")),
            FollowChanged.of("ann", "bob", true),
            FollowChanged.of("ann", "bob", false),
            OperationStarted.of(OperationStarted.Kind.READ, 20),
            OperationStarted.of(OperationStarted.Kind.READ, 10),
            OperationStarted.of(OperationStarted.Kind.PUBLISH, 20),
            ArchiveStep.moved(1, Duration.ofSeconds(1)),
            ArchiveStep.moved(2, Duration.ofSeconds(1)),
            ArchiveStep.moved(1, Duration.ofSeconds(2)),
            ArchiveStep.failed("down", Duration.ofSeconds(1)),
            ArchiveStep.failed("up", Duration.ofSeconds(1)),
            DeliveryLossSuspected.of(Instant.EPOCH, 1),
            DeliveryLossSuspected.of(Instant.EPOCH, 2));

    private static final List<Object> BUILDERS = List.of(
            PostDelivered.builder(POST),
            FeedRead.builder("ann"),
            CardPartFailed.builder("authors", CardPartFailed.Kind.LATE),
            InboxRebuilt.builder("ann"),
            InboxRefreshed.builder("ann"),
            TaskFinished.builder(TaskKind.PUSH, "bob"),
            TaskFailed.builder(TaskKind.PUSH, "bob"),
            DeadLetter.builder("1", TaskKind.PUSH, "bob"),
            Backlog.builder(),
            QueueTraffic.builder(),
            WriteBehindStatus.builder());

    static List<Object> builders() {
        return BUILDERS;
    }

    @Test
    @DisplayName("are equal if their values are")
    void equality() {
        assertThat(new HashSet<>(VALUES)).hasSameSizeAs(VALUES);
        assertThat(PostPublished.of(POST, FanoutMode.PULL))
                .isEqualTo(VALUES.get(1))
                .hasSameHashCodeAs(VALUES.get(1));
        assertThat(VALUES.get(4)).hasToString("FollowChanged[reader=ann, author=bob, following=true]");
    }

    /** Each setter changes what the accessor of its name returns, and nothing else. */
    @ParameterizedTest
    @MethodSource("builders")
    @DisplayName("have what was set, and nothing of what was not")
    void built(Object builder) throws ReflectiveOperationException {
        List<Method> setters = Arrays.stream(builder.getClass().getDeclaredMethods())
                .filter(method -> Modifier.isPublic(method.getModifiers()) && method.getParameterCount() == 1)
                .toList();
        assertThat(setters).isNotEmpty();
        Set<Object> different = new HashSet<>(Set.of(build(builder)));
        assertThat(build(builder)).isEqualTo(build(builder)).hasSameHashCodeAs(build(builder));
        List<Method> accessors = accessors(build(builder));
        for (Method setter : setters) {
            List<Object> before = values(accessors, build(builder));
            Object value = sample(setter.getParameterTypes()[0]);
            assertThat(setter.invoke(builder, value)).isSameAs(builder);
            Object built = build(builder);
            assertThat(different.add(built)).as(setter.getName()).isTrue();
            assertThat(built.toString()).contains(setter.getName() + "=");
            List<Object> after = values(accessors, built);
            for (int i = 0; i < accessors.size(); i++) {
                boolean set = accessors.get(i).getName().equals(setter.getName());
                boolean optional = accessors.get(i).getReturnType() == Optional.class;
                Object expected = set && optional ? Optional.of(value) : set ? value : before.get(i);
                assertThat(after.get(i)).as("%s", accessors.get(i)).isEqualTo(expected);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("builders")
    @DisplayName("refuse null")
    void nulls(Object builder) {
        Stream.of(builder.getClass().getDeclaredMethods())
                .filter(method -> method.getParameterCount() == 1 && !method.getParameterTypes()[0].isPrimitive())
                .forEach(setter -> assertThatThrownBy(() -> setter.invoke(builder, (Object) null))
                        .isInstanceOf(InvocationTargetException.class)
                        .hasRootCauseInstanceOf(IllegalArgumentException.class)
                        .hasRootCauseMessage(setter.getName() + " must not be null"));
    }

    @Test
    @DisplayName("have no public constructor, since it would break with each new value")
    void noConstructors() {
        Stream<Class<?>> types = Stream.concat(
                VALUES.stream().map(Object::getClass),
                BUILDERS.stream().map(Object::getClass).flatMap(type -> Stream.of(type, type.getEnclosingClass())));
        assertThat(types)
                .allSatisfy(type -> assertThat(type.getConstructors()).isEmpty())
                .allMatch(type -> Modifier.isFinal(type.getModifiers()));
    }

    @Test
    @DisplayName("name every kind of task of the log")
    void kinds() {
        assertThat(TaskKind.values())
                .extracting(Enum::name)
                .containsExactlyElementsOf(
                        Arrays.stream(FanoutLog.Kind.values()).map(Enum::name).toList());
    }

    private static Object build(Object builder) throws ReflectiveOperationException {
        return builder.getClass().getMethod("build").invoke(builder);
    }

    private static List<Method> accessors(Object built) {
        return Arrays.stream(built.getClass().getDeclaredMethods())
                .filter(method -> Modifier.isPublic(method.getModifiers()) && method.getParameterCount() == 0)
                .filter(method ->
                        !Set.of("hashCode", "toString", "builder", "tasks").contains(method.getName()))
                .toList();
    }

    private static List<Object> values(List<Method> accessors, Object built) throws ReflectiveOperationException {
        List<Object> values = new ArrayList<>();
        for (Method accessor : accessors) {
            values.add(accessor.invoke(built));
        }
        return values;
    }

    private static Object sample(Class<?> type) {
        return Stream.<Object>of(
                        7,
                        8L,
                        true,
                        "text",
                        Duration.ofSeconds(9),
                        Instant.ofEpochSecond(10),
                        List.of("ann"),
                        Map.of(TaskKind.PUSH, 12L),
                        new PostKey("bob", "p1"),
                        QueueTraffic.builder().lent(11).build())
                .filter(value -> boxed(type).isInstance(value))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no sample of " + type));
    }

    private static Class<?> boxed(Class<?> type) {
        return MethodType.methodType(type).wrap().returnType();
    }
}
