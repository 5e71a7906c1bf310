package io.feedkit.spring.internal.store;

import jakarta.persistence.EntityManagerFactory;
import java.util.List;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.orm.jpa.EntityManagerHolder;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** JPA: entities are written when a persistence context is flushed, and a factory may create the tables. */
public final class JpaPersistence implements HostPersistence {

    private final ObjectProvider<EntityManagerFactory> factories;
    private volatile List<EntityManagerFactory> created = List.of();

    public JpaPersistence(ObjectProvider<EntityManagerFactory> factories) {
        this.factories = factories;
    }

    @Override
    public void prepare() {
        created = factories.stream().toList();
    }

    @Override
    public void flush() {
        for (EntityManagerFactory factory : created) {
            if (TransactionSynchronizationManager.getResource(factory) instanceof EntityManagerHolder holder
                    && holder.getEntityManager().isJoinedToTransaction()) {
                holder.getEntityManager().flush();
            }
        }
    }
}
