package io.feedkit.redis.internal.counter;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("Members of sets")
class MemberCodecTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "a",
                "7",
                "07",
                "007",
                "70",
                "1234567890123456789",
                "a1",
                "a12",
                "a123b",
                "12a34",
                "like/",
                "like/7",
                "like/post-00000123",
                "likes",
                "lik",
                "love/7",
                "like/like/7",
                "{a}",
                "~",
                "!",
                "99",
                "00",
                "like/~12~"
            })
    @DisplayName("keep their names")
    void names(String name) {
        assertThat(MemberCodec.name(MemberCodec.field(name))).isEqualTo(name);
    }

    @Test
    @DisplayName("take a byte for two digits, and for the beginning of a like")
    void compact() {
        assertThat(MemberCodec.field("like/post-00000123")).hasSize(1 + "post-".length() + 4);
        assertThat(MemberCodec.label("0+").get(1)).isEmpty();
    }

    @Test
    @DisplayName("have other fields where they have other names")
    void distinct() {
        List<String> names =
                List.of("7", "07", "007", "70", "700", "0", "00", "000", "like/", "like/0", "like/00", "\"");
        assertThat(names.stream().map(name -> HexFormat.of().formatHex(MemberCodec.field(name))))
                .doesNotHaveDuplicates();
    }
}
