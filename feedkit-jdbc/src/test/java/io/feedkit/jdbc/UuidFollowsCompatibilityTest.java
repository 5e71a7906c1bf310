package io.feedkit.jdbc;

import io.feedkit.jdbc.TestDatabase.Kind;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedClass;

@ParameterizedClass(allowZeroInvocations = true)
@OnDatabases(without = {Kind.MARIADB, Kind.MYSQL})
@DisplayName("A host's table of follows whose ids are UUIDs")
class UuidFollowsCompatibilityTest extends HostFollowsCompatibilityTest {

    UuidFollowsCompatibilityTest(Kind kind) {
        super(kind, UserIds.UUIDS);
    }
}
