package io.feedkit.examples.microblog.world;

import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;

/**
 * The properties of the world.
 *
 * @param world {@code small}, {@code higgs} or {@code none}
 * @param data where the recorded week is
 * @param quiet whether the invented accounts post nothing by themselves
 * @param tokens known tokens of accounts, by their names
 */
@ConfigurationProperties("microblog")
record WorldSettings(String world, @Nullable Path data, boolean quiet, Map<String, String> tokens) {}
