package io.feedkit;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.GeneralCodingRules.NO_CLASSES_SHOULD_ACCESS_STANDARD_STREAMS;
import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaMember;
import com.tngtech.archunit.core.domain.JavaPackage;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Disabled;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Architecture of the core")
class ArchitectureTest {

    private static final JavaClasses MAIN = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("io.feedkit");

    private static final JavaClasses TESTS = new ClassFileImporter()
            .withImportOption(new ImportOption.OnlyIncludeTests())
            .importPackages("io.feedkit");

    @Test
    @DisplayName("depends on the JDK's base, slf4j and jspecify only")
    void dependsOnLittle() {
        classes()
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage("java..", "org.slf4j..", "org.jspecify..", "io.feedkit..")
                .check(MAIN);
    }

    /**
     * The packages, each of which uses only packages of lines below its own. The root package stands on several lines,
     * as {@link #ROOT} says: its engine is the roof, its exceptions and values are the ground. A new package has to be
     * placed here.
     */
    private static final List<Set<String>> ORDER = List.of(
            Set.of("migration"),
            Set.of("roof"),
            Set.of("internal.engine"),
            Set.of("memory"),
            Set.of("internal.unread", "internal.rank", "internal.relay", "internal.live", "internal.inspect"),
            Set.of("internal.read", "internal.publish", "internal.fanout"),
            Set.of("internal.view", "internal.fanout.batch"),
            Set.of("internal.transaction"),
            Set.of("internal.presence", "internal.verify"),
            Set.of("internal.follow"),
            Set.of("internal.inbox"),
            Set.of("internal.copies", "internal.inbox.loss"),
            Set.of("internal.collect"),
            Set.of("internal.cache"),
            Set.of("internal.archive"),
            Set.of("cards"),
            Set.of("internal.host"),
            Set.of("internal.signal"),
            Set.of("rank"),
            Set.of("counter"),
            Set.of("unread"),
            Set.of("internal.counter"),
            Set.of("spi.counter"),
            Set.of("event"),
            Set.of("inspect", "presence", "verify", "internal.bus"),
            Set.of("live", "requests"),
            Set.of("internal.paging"),
            Set.of("pages"),
            Set.of("spi"),
            Set.of("fanout", "health", "queue"),
            Set.of("ground"),
            Set.of("internal.check"));

    private static final Map<String, Integer> MOST_TYPES =
            Map.of("io.feedkit.spi", 25, "io.feedkit", 24, "io.feedkit.memory", 29, "io.feedkit.event", 16);

    /** The lines of the types in the root package; all others are ground. */
    private static final Map<String, String> ROOT = Map.of(
            "FeedEngine", "roof",
            "FeedEngineBuilder", "roof",
            "PageRequest", "requests",
            "FeedPage", "pages",
            "Cursor", "pages");

    @Test
    @DisplayName("has its packages in one order, in which each uses only those below")
    void packagesInOrder() {
        Map<String, Integer> lines = new HashMap<>();
        for (int line = 0; line < ORDER.size(); line++) {
            for (String name : ORDER.get(line)) {
                lines.put(name, line);
            }
        }
        Set<String> upwards = new TreeSet<>();
        for (JavaClass type : MAIN) {
            for (Dependency dependency : type.getDirectDependenciesFromSelf()) {
                JavaClass other = dependency.getTargetClass().getBaseComponentType();
                if (!other.getPackageName().startsWith("io.feedkit")) {
                    continue;
                }
                String from = place(type);
                String to = place(other);
                if (!from.equals(to) && lines.get(from) >= lines.get(to)) {
                    upwards.add(type.getName() + " uses " + other.getName());
                }
            }
        }
        assertThat(upwards).isEmpty();
    }

    private static String place(JavaClass type) {
        String name = type.getPackageName();
        if (!name.equals("io.feedkit")) {
            return name.substring("io.feedkit.".length());
        }
        String simple = type.getName().substring("io.feedkit.".length()).replaceFirst("\\$.*", "");
        return ROOT.getOrDefault(simple, "ground");
    }

    @Test
    @DisplayName(
            "has at most 15 types in a package, but 16 kinds of events, 24 types at the door, 25 in the SPI, and 29 in "
                    + "the store in memory, whose package hides most of them")
    void smallPackages() {
        Map<String, Long> types = MAIN.stream()
                .filter(JavaClass::isTopLevelClass)
                .filter(type -> !type.getSimpleName().equals("package-info"))
                .collect(groupingBy(JavaClass::getPackageName, counting()));
        types.forEach((name, count) ->
                assertThat(count).as("types in %s", name).isLessThanOrEqualTo(MOST_TYPES.getOrDefault(name, 15)));
    }

    private static final int MOST_COLLABORATORS = 6;

    @Test
    @DisplayName("takes at most six parameters in each internal constructor, but for records")
    void smallConstructors() {
        assertThat(MAIN.stream()
                        .filter(type -> type.getPackageName().startsWith("io.feedkit.internal"))
                        .filter(type -> !type.isRecord() && !type.isEnum() && !type.isAnonymousClass())
                        .flatMap(type -> type.getConstructors().stream())
                        .filter(constructor ->
                                constructor.getRawParameterTypes().size() > MOST_COLLABORATORS)
                        .map(JavaMember::getFullName))
                .isEmpty();
    }

    /** What hosts wire, and what backends call. */
    private static final Set<String> SPI_FOR_HOSTS = Set.of(
            "FeedEngine.builder(FeedStore)",
            "FeedEngineBuilder.archive(PostArchive)",
            "FeedEngineBuilder.inboxCopies(InboxCopies)",
            "FeedEngineBuilder.presence(PresenceStore)",
            "Announcements.of(CounterStore)",
            "Announcements.of(CounterStore,Clock)",
            "Badges.of(CounterStore)",
            "Badges.of(CounterStore,Clock)",
            "Conversations.of(CounterStore)",
            "RedDots.of(CounterStore)",
            "UnreadCounter.of(CounterStore)",
            "Counters.of(CounterStore)",
            "ExclusiveReactions.of(CounterStore,String)",
            "Reactions.of(CounterStore)",
            "Reactions.of(CounterStore,String)",
            "Reactions$Repair.of(CellKey,long,long)",
            "FeedCounters.of(CounterStore)",
            "FeedCounters.of(CounterStore,Clock)",
            "FeedCounters.in(CounterStore)",
            "Views.of(CounterStore,Duration,Clock)");

    @Test
    @DisplayName("shows hosts no type of the SPI but those that they wire")
    void hidesTheSpi() {
        Set<String> members = new TreeSet<>();
        for (JavaClass type : MAIN) {
            if (HOST_PACKAGES.contains(type.getPackageName()) && isPublic(type.reflect())) {
                Class<?> reflected = type.reflect();
                Stream.of(
                                reflected.getDeclaredMethods(),
                                reflected.getDeclaredConstructors(),
                                reflected.getDeclaredFields())
                        .flatMap(Arrays::stream)
                        .map(Member.class::cast)
                        .filter(member -> isVisible(member) && !member.isSynthetic())
                        .filter(member -> generic(member).contains("io.feedkit.spi."))
                        .forEach(member -> members.add(shortName(member)));
            }
        }
        assertThat(members).containsExactlyInAnyOrderElementsOf(SPI_FOR_HOSTS);
    }

    private static final Set<String> HOST_PACKAGES = Set.of(
            "io.feedkit",
            "io.feedkit.cards",
            "io.feedkit.event",
            "io.feedkit.fanout",
            "io.feedkit.health",
            "io.feedkit.migration",
            "io.feedkit.presence",
            "io.feedkit.queue",
            "io.feedkit.rank",
            "io.feedkit.unread",
            "io.feedkit.verify",
            "io.feedkit.counter");

    private static boolean isPublic(Class<?> type) {
        return Modifier.isPublic(type.getModifiers())
                && (type.getEnclosingClass() == null || isPublic(type.getEnclosingClass()));
    }

    private static boolean isVisible(Member member) {
        return Modifier.isPublic(member.getModifiers()) || Modifier.isProtected(member.getModifiers());
    }

    private static String generic(Member member) {
        return member instanceof Executable executable
                ? executable.toGenericString()
                : ((Field) member).toGenericString();
    }

    private static String shortName(Member member) {
        String owner = withoutPackage(member.getDeclaringClass());
        if (member instanceof Executable executable) {
            return owner + "." + (member instanceof Method ? member.getName() : "<init>")
                    + Arrays.stream(executable.getParameterTypes())
                            .map(ArchitectureTest::withoutPackage)
                            .collect(joining(",", "(", ")"));
        }
        return owner + "." + member.getName();
    }

    private static String withoutPackage(Class<?> type) {
        return type.getName().substring(type.getName().lastIndexOf('.') + 1);
    }

    @Test
    @DisplayName("logs through slf4j, never through java.util.logging or the standard streams")
    void logsThroughSlf4j() {
        noClasses()
                .should()
                .dependOnClassesThat()
                .resideInAPackage("java.util.logging..")
                .check(MAIN);
        NO_CLASSES_SHOULD_ACCESS_STANDARD_STREAMS.check(MAIN);
    }

    @Test
    @DisplayName("marks every package @NullMarked, or NullAway would not look at it")
    void everyPackageIsNullMarked() {
        assertThat(MAIN.stream()
                        .map(JavaClass::getPackage)
                        .distinct()
                        .filter(javaPackage -> !javaPackage.isAnnotatedWith(NullMarked.class))
                        .map(JavaPackage::getName))
                .isEmpty();
    }

    @Test
    @DisplayName("skips no test")
    void noDisabledTests() {
        noClasses().should().beAnnotatedWith(Disabled.class).check(TESTS);
        assertThat(TESTS.stream()
                        .flatMap(testClass -> testClass.getMethods().stream())
                        .filter(method -> method.isAnnotatedWith(Disabled.class)))
                .isEmpty();
    }
}
