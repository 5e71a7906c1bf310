package io.feedkit.spring.internal.store;

import jakarta.persistence.EntityManagerFactory;
import java.util.List;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.orm.jpa.EntityManagerHolder;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.util.function.SingletonSupplier;

/** JPA: entities are written when a persistence context is flushed, and a factory may create the tables. */
public final class JpaPersistence implements HostPersistence {

    private final SingletonSupplier<List<EntityManagerFactory>> factories;

    public JpaPersistence(ObjectProvider<EntityManagerFactory> factories) {
        this.factories = SingletonSupplier.of(() -> factories.stream().toList());
    }

    @Override
    public void prepare() {
        factories.obtain();
    }

    @Override
    public void flush() {
        for (EntityManagerFactory factory : factories.obtain()) {
            if (TransactionSynchronizationManager.getResource(factory) instanceof EntityManagerHolder holder
                    && holder.getEntityManager().isJoinedToTransaction()) {
                holder.getEntityManager().flush();
            }
        }
    }
}
