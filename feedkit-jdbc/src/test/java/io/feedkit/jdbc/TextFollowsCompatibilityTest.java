package io.feedkit.jdbc;

import io.feedkit.jdbc.TestDatabase.Kind;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedClass;

@ParameterizedClass(allowZeroInvocations = true)
@OnDatabases
@DisplayName("A host's table of follows whose ids are text")
class TextFollowsCompatibilityTest extends HostFollowsCompatibilityTest {

    TextFollowsCompatibilityTest(Kind kind) {
        super(kind, UserIds.TEXT);
    }
}
