package io.feedkit.spring.test;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.TypeExcludeFilter;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.type.classreading.MetadataReader;
import org.springframework.core.type.classreading.MetadataReaderFactory;
import org.springframework.test.context.ContextConfigurationAttributes;
import org.springframework.test.context.ContextCustomizer;
import org.springframework.test.context.ContextCustomizerFactory;
import org.springframework.test.context.MergedContextConfiguration;
import org.springframework.test.context.TestContextAnnotationUtils;

/** Prepares the context of a {@link FeedKitTest}: in memory, without workers, and without scanned components. */
final class FeedKitTestContext implements ContextCustomizerFactory {

    FeedKitTestContext() {}

    @Override
    public @Nullable ContextCustomizer createContextCustomizer(
            Class<?> testClass, List<ContextConfigurationAttributes> configAttributes) {
        return TestContextAnnotationUtils.hasAnnotation(testClass, FeedKitTest.class) ? new InMemory() : null;
    }

    /** All are equal, so that test classes share a context. */
    private record InMemory() implements ContextCustomizer {

        @Override
        public void customizeContext(ConfigurableApplicationContext context, MergedContextConfiguration mergedConfig) {
            context.getEnvironment()
                    .getPropertySources()
                    .addFirst(new MapPropertySource(
                            "FeedKitTest",
                            Map.of(
                                    "feedkit.store", "memory",
                                    "feedkit.counters.store", "memory",
                                    "feedkit.live.bus", "none",
                                    "feedkit.workers", "0")));
            context.getBeanFactory().registerSingleton(Nothing.class.getName(), new Nothing());
        }
    }

    /** Leaves out all components that a scan finds. */
    private static final class Nothing extends TypeExcludeFilter {

        @Override
        public boolean match(MetadataReader reader, MetadataReaderFactory factory) {
            return true;
        }

        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Nothing;
        }

        @Override
        public int hashCode() {
            return Nothing.class.hashCode();
        }
    }
}
