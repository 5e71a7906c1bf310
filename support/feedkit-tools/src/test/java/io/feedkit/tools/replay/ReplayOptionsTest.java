package io.feedkit.tools.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedkit.tools.Cli;
import io.feedkit.tools.input.DurationConverter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.TypeConversionException;

@DisplayName("An option of the replay")
class ReplayOptionsTest {

    @ParameterizedTest(name = "{0}")
    @DisplayName("that is wrong is refused with exit code 2, by its name")
    @CsvSource(delimiter = '|', textBlock = """
                    --policy maybe                  | --policy
                    --policy hybrid                 | --policy
                    --policy hybrid:                | --policy
                    --policy hybrid:-3              | --policy
                    --policy hybrid:0               | --policy
                    --policy active:x               | --policy
                    --policy online:                | --policy
                    --policy online:0               | --policy
                    --policy online:push            | --policy
                    --policy push:3                 | --policy
                    --policy push --store tape      | store must be memory, a JDBC URL, redis://HOST:PORT or redis://HOST:PORT+jdbc:..., but is tape
                    --policy push --cap 9           | cap must be between 10 and 100000, but is 9
                    --policy push --cap many        | --cap
                    --policy push --page 0          | page must be between 1 and 1000, but is 0
                    --policy push --page 1001       | page must be between 1 and 1000, but is 1001
                    --policy push --newest 0        | newest must be at least 1, but is 0
                    --policy push --newest 1001     | newest must be between 1 and 1000, but is 1001
                    --policy push --newest 5 --walk | mutually exclusive
                    --policy push --threads 0       | threads must be between 1 and 256, but is 0
                    --policy push --threads 257     | threads must be between 1 and 256, but is 257
                    --policy push --live-window 7   | --live-window
                    --policy push --live-window 7w  | --live-window
                    --policy push --live-window 0s  | liveWindow must be between PT1S
                    --policy push --colour red      | --colour
                    --walk                          | --policy
                    """)
    void wrong(String options, String named) {
        List<String> args = new ArrayList<>(List.of("replay", "--follows", "none", "--posts", "none"));
        args.addAll(List.of(options.split(" ", -1)));

        Cli run = Cli.run(args);

        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err()).contains(named);
        assertThat(run.out()).isEmpty();
    }

    @Test
    @DisplayName("must say what happens: posts, or operations, but not both")
    void events() {
        List<String> neither = List.of("replay", "--follows", "f", "--policy", "push");
        assertThat(Cli.run(neither).exitCode()).isEqualTo(2);

        List<String> both = new ArrayList<>(neither);
        both.addAll(List.of("--posts", "p", "--ops", "o"));
        assertThat(Cli.run(both).exitCode()).isEqualTo(2);
        assertThat(Cli.run(both).err()).contains("mutually exclusive");
    }

    @ParameterizedTest
    @DisplayName("may be a time in days, hours, minutes or seconds")
    @CsvSource({"7d,PT168H", "3h,PT3H", "90m,PT1H30M", "45s,PT45S", "0s,PT0S"})
    void times(String text, Duration time) {
        assertThat(new DurationConverter().convert(text)).isEqualTo(time);
    }

    @ParameterizedTest
    @DisplayName("may not be any other time")
    @ValueSource(strings = {"", "7", "d", "-1d", "1.5h", "7D", "7 d", "1h30m", "99999999999d"})
    void otherTimes(String text) {
        assertThatThrownBy(() -> new DurationConverter().convert(text)).isInstanceOf(TypeConversionException.class);
    }
}
