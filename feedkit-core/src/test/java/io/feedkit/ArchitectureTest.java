package io.feedkit;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.GeneralCodingRules.NO_CLASSES_SHOULD_ACCESS_STANDARD_STREAMS;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaPackage;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
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

    @Test
    @DisplayName("keeps the SPI free of internals")
    void spiWithoutInternals() {
        noClasses()
                .that()
                .resideInAPackage("io.feedkit.spi..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("io.feedkit.internal..")
                .allowEmptyShould(true)
                .check(MAIN);
    }

    @Test
    @DisplayName("keeps the SPI free of the in-memory store")
    void spiWithoutMemory() {
        noClasses()
                .that()
                .resideInAPackage("io.feedkit.spi..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("io.feedkit.memory..")
                .allowEmptyShould(true)
                .check(MAIN);
    }

    @Test
    @DisplayName("opens its internals to the root package only")
    void internalsBehindTheDoor() {
        noClasses()
                .that()
                .resideOutsideOfPackages("io.feedkit", "io.feedkit.internal..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("io.feedkit.internal..")
                .allowEmptyShould(true)
                .check(MAIN);
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
