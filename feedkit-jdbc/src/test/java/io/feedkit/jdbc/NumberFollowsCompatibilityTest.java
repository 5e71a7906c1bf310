package io.feedkit.jdbc;

import io.feedkit.jdbc.TestDatabase.Kind;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedClass;

@ParameterizedClass(allowZeroInvocations = true)
@OnDatabases
@DisplayName("A host's table of follows whose ids are numbers")
class NumberFollowsCompatibilityTest extends HostFollowsCompatibilityTest {

    NumberFollowsCompatibilityTest(Kind kind) {
        super(kind, UserIds.NUMBERS);
    }
}
