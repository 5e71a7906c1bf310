package io.feedkit.examples.microblog.clients;

import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

// The browser is Debian's Chromium, or the program that FEEDKIT_CHROMIUM names.
@Tag("matrix")
@DisplayName("The page in a browser")
class BrowserTest {

    private static final String CHROMIUM = Script.setting("FEEDKIT_CHROMIUM", "/usr/bin/chromium");

    @TempDir
    private Path home;

    @Test
    @DisplayName("scrolls a thousand posts without a repeat or a gap while others publish and the policy is swapped")
    void scrolls() throws IOException, InterruptedException {
        NodeScripts.assume("puppeteer-core");
        // So few followers that each way to a reader is taken.
        run("browser.mjs", "--feedkit.policy=hybrid(3)", "--feedkit.policies.hybrid=hybrid(3)");
    }

    @Test
    @DisplayName("axe-core finds nothing in any view, on a phone and on a desktop, light and dark")
    void isAccessible() throws IOException, InterruptedException {
        NodeScripts.assume("puppeteer-core");
        NodeScripts.assume("axe-core");
        run("accessibility.mjs");
    }

    private void run(String script, String... arguments) throws IOException, InterruptedException {
        assumeThat(Script.succeeds(CHROMIUM, "--version"))
                .as("%s can be run", CHROMIUM)
                .isTrue();
        try (RunningMicroblog microblog = new RunningMicroblog(arguments)) {
            microblog.run(home, "node", script, Map.of("MICROBLOG_CHROMIUM", CHROMIUM));
        }
    }
}
