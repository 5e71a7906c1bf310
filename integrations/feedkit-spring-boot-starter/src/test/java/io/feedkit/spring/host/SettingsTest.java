package io.feedkit.spring.host;

import static io.feedkit.spring.host.HostApplication.NOTHING;
import static io.feedkit.spring.host.HostApplication.runner;
import static org.assertj.core.api.Assertions.assertThat;

import io.feedkit.FeedEngineBuilder;
import io.feedkit.FeedEngineBuilder.ArchiveSettings;
import io.feedkit.FeedEngineBuilder.CopySettings;
import io.feedkit.FeedEngineBuilder.FanoutSettings;
import io.feedkit.FeedEngineBuilder.LiveSettings;
import io.feedkit.FeedEngineBuilder.PresenceSettings;
import io.feedkit.FeedEngineBuilder.ReadSettings;
import io.feedkit.memory.InMemoryInboxCopies;
import io.feedkit.memory.InMemoryPostArchive;
import io.feedkit.queue.QueuedFanout;
import io.feedkit.spi.InboxCopies;
import io.feedkit.spi.PostArchive;
import io.feedkit.spring.FeedEngineCustomizer;
import io.feedkit.spring.FeedKitProperties;
import io.feedkit.spring.InvalidSettingException;
import io.feedkit.spring.internal.engine.EngineBeans;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

@DisplayName("Every setting of the engine")
class SettingsTest {

    /** Set by the auto-configuration, or the methods that open a group. */
    private static final Set<String> NOT_A_PROPERTY = Set.of(
            "startPaused", "reading", "fanout", "live", "namedPolicy", "listener", "build", "archiving", "copying");

    private static final String INVALID = InvalidSettingException.class.getSimpleName();

    private static final Map<Class<?>, String> GROUPS = Map.of(
            FeedEngineBuilder.class, "",
            ReadSettings.class, "reading",
            FanoutSettings.class, "fanout",
            LiveSettings.class, "live",
            PresenceSettings.class, "presence",
            ArchiveSettings.class, "archiving",
            CopySettings.class, "copying");

    private static List<Method> setters(Class<?> builder) {
        return Arrays.stream(builder.getDeclaredMethods())
                .filter(method -> Modifier.isPublic(method.getModifiers()))
                .filter(method -> method.getReturnType().equals(builder))
                .filter(method -> !Modifier.isStatic(method.getModifiers()))
                .filter(method -> !NOT_A_PROPERTY.contains(method.getName()))
                .toList();
    }

    private static boolean isPropertyOf(String group, Method setter) {
        RecordComponent[] properties = group.isEmpty()
                ? FeedKitProperties.class.getRecordComponents()
                : component(group).getType().getRecordComponents();
        return Arrays.stream(properties).anyMatch(property -> property.getName().equals(setter.getName()));
    }

    private static RecordComponent component(String group) {
        return Arrays.stream(FeedKitProperties.class.getRecordComponents())
                .filter(property -> property.getName().equals(group))
                .findFirst()
                .orElseThrow();
    }

    private static boolean isBean(Method setter) {
        Set<Class<?>> beans = Arrays.stream(EngineBeans.class.getRecordComponents())
                .map(RecordComponent::getGenericType)
                .filter(ParameterizedType.class::isInstance)
                .map(type -> (Class<?>) ((ParameterizedType) type).getActualTypeArguments()[0])
                .collect(Collectors.toSet());
        return beans.contains(setter.getParameterTypes()[0]);
    }

    @Test
    @DisplayName("is a property or a bean")
    void reachable() {
        List<String> missing = new ArrayList<>();
        GROUPS.forEach((builder, group) -> setters(builder).stream()
                .filter(setter -> !isPropertyOf(group, setter) && !isBean(setter))
                .filter(setter -> !setter.getParameterTypes()[0].equals(QueuedFanout.class))
                .filter(setter -> !setter.getParameterTypes()[0].equals(java.util.function.Consumer.class))
                .forEach(setter -> missing.add(builder.getSimpleName() + "." + setter)));
        assertThat(missing).isEmpty();
    }

    @Test
    @DisplayName("reaches the builder: it cannot be set again by a customizer")
    void applied() {
        List<String> properties = new ArrayList<>();
        GROUPS.forEach((builder, group) -> setters(builder).stream()
                .filter(setter -> isPropertyOf(group, setter) && value(setter) != null)
                .forEach(setter -> properties.add(
                        "feedkit." + (group.isEmpty() ? "" : group + ".") + dashed(setter) + "=" + text(setter))));
        assertThat(properties).hasSizeGreaterThan(30);
        List<String> unset = new ArrayList<>();
        runner(NOTHING)
                .withBean(PostArchive.class, InMemoryPostArchive::create)
                .withBean(InboxCopies.class, () -> InMemoryInboxCopies.create(Clock.systemUTC()))
                .withPropertyValues(properties.toArray(String[]::new))
                .withBean(FeedEngineCustomizer.class, () -> builder -> {
                    unset.addAll(notSet(builder));
                    builder.reading(reading -> unset.addAll(notSet(reading)))
                            .fanout(fanout -> unset.addAll(notSet(fanout)))
                            .live(live -> unset.addAll(notSet(live)))
                            .archiving(archiving -> unset.addAll(notSet(archiving)))
                            .copying(copying -> unset.addAll(notSet(copying)))
                            .presence((java.util.function.Consumer<PresenceSettings>)
                                    presence -> unset.addAll(notSet(presence)));
                })
                .run(context -> assertThat(context).hasNotFailed());
        assertThat(unset).isEmpty();
    }

    @Test
    @DisplayName("of archiving and copying needs its bean, and a wrong one is named")
    void archiving() {
        Map<ApplicationContextRunner, String> refused = Map.of(
                runner(NOTHING).withPropertyValues("feedkit.archiving.after=60d"),
                "feedkit.archiving",
                runner(NOTHING)
                        .withBean(PostArchive.class, InMemoryPostArchive::create)
                        .withPropertyValues("feedkit.archiving.after=1h"),
                "feedkit.archiving.after",
                runner(NOTHING).withPropertyValues("feedkit.copying.depth=100"),
                "feedkit.copying",
                runner(NOTHING)
                        .withBean(InboxCopies.class, () -> InMemoryInboxCopies.create(Clock.systemUTC()))
                        .withPropertyValues("feedkit.copying.depth=0"),
                "feedkit.copying.depth");
        refused.forEach((runner, property) -> runner.run(context ->
                assertThat(context).getFailure().hasStackTraceContaining(INVALID + ": " + property + " is ")));
    }

    private static List<String> notSet(Object builder) {
        return setters(builder.getClass()).stream()
                .filter(setter -> isPropertyOf(GROUPS.get(builder.getClass()), setter) && value(setter) != null)
                .filter(setter -> !refusesAgain(builder, setter))
                .map(Method::toString)
                .toList();
    }

    private static boolean refusesAgain(Object builder, Method setter) {
        try {
            setter.invoke(builder, value(setter));
            return false;
        } catch (InvocationTargetException e) {
            return e.getCause() instanceof IllegalStateException;
        } catch (IllegalAccessException e) {
            throw new IllegalStateException(e);
        }
    }

    /** A value that every setting of its type allows. */
    private static Object value(Method setter) {
        Class<?> type = setter.getParameterTypes()[0];
        Duration time =
                Set.of("after", "lifetime").contains(setter.getName()) ? Duration.ofDays(2) : Duration.ofMinutes(30);
        return Stream.of(60, 60L, true, time, "crew")
                .filter(value -> type.isInstance(value) || isPrimitiveOf(type, value))
                .findFirst()
                .orElse(null);
    }

    private static boolean isPrimitiveOf(Class<?> type, Object value) {
        return (type == int.class && value instanceof Integer)
                || (type == long.class && value instanceof Long)
                || (type == boolean.class && value instanceof Boolean);
    }

    private static String text(Method setter) {
        return value(setter).toString();
    }

    private static String dashed(Method setter) {
        return setter.getName().replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
    }
}
