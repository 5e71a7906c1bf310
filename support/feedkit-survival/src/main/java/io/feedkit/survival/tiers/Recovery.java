package io.feedkit.survival.tiers;

import io.feedkit.testservers.RedisServer;
import io.feedkit.testservers.survival.Node;

/** What an operator may do with inboxes after the source of truth was restored from a backup. */
enum Recovery {

    /** As the operations page says: one call, then readers' first pages refresh their inboxes. */
    DISTRUST {
        @Override
        void recover(Node node, RedisServer redis) {
            node.engine().fanout().distrustInboxes();
        }
    },

    /** All inboxes are deleted, and readers' first pages build them. */
    FLUSH {
        @Override
        void recover(Node node, RedisServer redis) {
            redis.ask("FLUSHALL");
        }
    },

    /** All inboxes are compared and repaired; no reader has to come. */
    VERIFY {
        @Override
        void recover(Node node, RedisServer redis) {
            node.engine().verify(TierCheck.ALL.repair(true));
        }
    };

    abstract void recover(Node node, RedisServer redis);
}
