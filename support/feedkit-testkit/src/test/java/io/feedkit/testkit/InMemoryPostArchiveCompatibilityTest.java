package io.feedkit.testkit;

import io.feedkit.memory.InMemoryPostArchive;
import io.feedkit.spi.PostArchive;

class InMemoryPostArchiveCompatibilityTest extends PostArchiveCompatibilityKit {

    private final PostArchive archive = InMemoryPostArchive.create();

    @Override
    protected PostArchive archive() {
        return archive;
    }
}
