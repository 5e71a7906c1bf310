package io.feedkit.examples.microblog;

import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The packages of the microblog")
class PackagesTest {

    @Test
    @DisplayName("use each other in one direction only")
    void noCycles() {
        slices().matching("io.feedkit.examples.microblog.(*)..")
                .should()
                .beFreeOfCycles()
                .check(new ClassFileImporter()
                        .withImportOption(new ImportOption.DoNotIncludeTests())
                        .importPackages("io.feedkit.examples.microblog"));
    }
}
