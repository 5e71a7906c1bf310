package io.feedkit.internal.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.net.UnknownHostException;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("Credentials in addresses")
class AddressesTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "amqp://u:s3cret@h is unknown | amqp://***@h is unknown",
                "cannot reach u:s3cret@h:9092 | cannot reach ***@h:9092",
                "'no \"u:s3cret@h\"' | 'no \"***@h\"'",
                "jdbc:postgresql://u:s3cret@h/db?ssl=true | jdbc:postgresql://***@h/db?ssl=true",
                "jdbc:postgresql://h/db?user=u&password=s3cret&ssl=true"
                        + " | jdbc:postgresql://h/db?user=u&password=***&ssl=true",
                "jdbc:h2:mem:x;PASSWORD=s3cret;MODE=MySQL | jdbc:h2:mem:x;PASSWORD=***;MODE=MySQL",
                "redis://s3cret@h:6379/3 | redis://***@h:6379/3",
                "amqp://u:s3/cr@e?t@h | amqp://***@h",
                "jdbc:postgresql://h/db?password=s3@cret | jdbc:postgresql://h/db?password=***"
            })
    @DisplayName("are replaced, whatever the password contains")
    void cleaned(String text, String shown) {
        assertThat(Addresses.clean(text)).isEqualTo(shown);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "kafka.internal:9092 does not answer",
                "nobody is ann@example.com",
                "io.feedkit.Foo@1f",
                "jdbc:h2:mem:x",
                "Duplicate entry 'a@b' for key 'post.id'"
            })
    @DisplayName("are not what other texts have")
    void untouched(String text) {
        assertThat(Addresses.clean(text)).isEqualTo(text);
    }

    @Test
    @DisplayName("are in no cause and no suppressed exception")
    void causes() {
        Exception harmless = new IllegalStateException("down", new UnknownHostException("h"));
        assertThat(Addresses.clean(harmless)).isSameAs(harmless);
        Exception suppressing = new IllegalStateException("down");
        suppressing.addSuppressed(new UnknownHostException("u:s3cret@h"));
        for (Exception showing : new Exception[] {
            suppressing,
            new IllegalStateException("down", new UnknownHostException("u:s3cret@h")),
            new IllegalStateException("u:s3cret@h is down", new UnknownHostException("h"))
        }) {
            assertThat(Addresses.clean(showing))
                    .hasNoCause()
                    .hasNoSuppressedExceptions()
                    .hasMessageContainingAll("IllegalStateException", "down")
                    .hasMessageNotContaining("s3cret")
                    .satisfies(clean -> assertThat(clean.getStackTrace()).isEqualTo(showing.getStackTrace()));
        }
    }

    @Test
    @DisplayName("are refused where they do not belong, without being shown")
    void refused() {
        assertThat(Addresses.requireNoCredentials("host", "h:1", "set user")).isEqualTo("h:1");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Addresses.requireNoCredentials("host", "u:s3cret@h", "set user"))
                .withMessage("host must not have user:password@ before the host: set user");
    }
}
