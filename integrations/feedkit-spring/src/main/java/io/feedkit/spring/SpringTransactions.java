package io.feedkit.spring;

import io.feedkit.Beta;
import io.feedkit.PublishTransaction;
import io.feedkit.StoreUnavailableException;
import io.feedkit.jdbc.JdbcTransaction;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.jdbc.datasource.ConnectionHolder;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.transaction.TransactionExecution;
import org.springframework.transaction.TransactionExecutionListener;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * The transactions that Spring manages on a data source: of a {@code DataSourceTransactionManager}, or of a
 * {@code JpaTransactionManager} on that data source. So they hold what is written by {@code JdbcClient}, JPA and jOOQ.
 *
 * <p>What a persistence context has not written yet, for example a new JPA entity, is flushed first.
 *
 * <p>Register it as a listener of each transaction manager, as the auto-configuration does. It then knows when a
 * transaction has ended: what a {@code @TransactionalEventListener} publishes after the commit is in no transaction,
 * although Spring still shows its connection. Thread-safe.
 *
 * @since 0.1.0
 */
@Beta
public final class SpringTransactions implements PublishTransaction.Current, TransactionExecutionListener {

    private static final Logger log = LoggerFactory.getLogger(SpringTransactions.class);

    /** The transactions of each thread, the innermost first. */
    private static final ThreadLocal<@Nullable Deque<Phase>> PHASES = new ThreadLocal<>();

    private final Supplier<Optional<DataSource>> dataSource;
    private final Runnable flush;
    private final AtomicBoolean warned = new AtomicBoolean();

    /** A transaction of the thread, and whether its commit or rollback has begun. */
    private record Phase(TransactionExecution transaction, boolean ended) {}

    /**
     * Creates the transactions of a data source.
     *
     * @param dataSource returns the data source of FeedKit's tables, as the transaction manager has it; empty if posts
     *     are not in SQL: nothing joins, and changed follows are reported after the commit. Not called before a
     *     transaction of the thread is looked for
     * @param flush writes what the calling thread's persistence context holds back; called in a transaction
     */
    public SpringTransactions(Supplier<Optional<DataSource>> dataSource, Runnable flush) {
        this.dataSource = Objects.requireNonNull(dataSource, "dataSource must not be null");
        this.flush = Objects.requireNonNull(flush, "flush must not be null");
    }

    /**
     * {@inheritDoc}
     *
     * <p>A transaction on another data source cannot be joined; the first one is logged as a warning.
     */
    @Override
    public Optional<PublishTransaction> find() {
        if (!isOpen()) {
            return Optional.empty();
        }
        Optional<Connection> connection = dataSource.get().flatMap(this::connection);
        connection.ifPresent(found -> flush.run());
        return connection.map(JdbcTransaction::of);
    }

    /** The connection of the transaction on a data source, also if that is known under one of Spring's proxies. */
    private Optional<Connection> connection(DataSource wanted) {
        Object foreign = null;
        for (Map.Entry<Object, Object> bound :
                TransactionSynchronizationManager.getResourceMap().entrySet()) {
            if (bound.getKey() instanceof DataSource key
                    && bound.getValue() instanceof ConnectionHolder holder
                    && isInTransaction(holder.getConnection())) {
                if (target(key) == target(wanted)) {
                    return Optional.of(holder.getConnection());
                }
                foreign = key;
            }
        }
        if (foreign != null && !warned.getAndSet(true)) {
            log.warn(
                    "FeedKit is called in a transaction on {}, which it cannot join: its tables are in {}, and"
                            + " publishes take effect at once. If both are the same database, name the data source of"
                            + " the transaction manager in feedkit.jdbc.data-source",
                    foreign,
                    wanted);
        }
        return Optional.empty();
    }

    private static DataSource target(DataSource dataSource) {
        DataSource target = dataSource instanceof DelegatingDataSource proxy ? proxy.getTargetDataSource() : null;
        return target == null ? dataSource : target(target);
    }

    /** In a transaction on another data source, Spring also binds connections that commit each statement. */
    private static boolean isInTransaction(Connection connection) {
        try {
            return !connection.getAutoCommit();
        } catch (SQLException e) {
            throw new StoreUnavailableException("transaction.find", e);
        }
    }

    /**
     * {@inheritDoc}
     *
     * <p>It runs after the commit of any transaction that Spring manages, on whichever data source.
     */
    @Override
    public boolean afterCommit(Runnable action) {
        if (!isOpen() || !TransactionSynchronizationManager.isSynchronizationActive()) {
            return false;
        }
        TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
            @Override
            public void afterCommit() {
                action.run();
            }
        });
        return true;
    }

    private static boolean isOpen() {
        Deque<Phase> transactions = PHASES.get();
        return TransactionSynchronizationManager.isActualTransactionActive()
                && (transactions == null
                        || transactions.isEmpty()
                        || !transactions.element().ended());
    }

    @Override
    public void afterBegin(TransactionExecution transaction, @Nullable Throwable beginFailure) {
        if (beginFailure == null) {
            put(new Phase(transaction, false));
        }
    }

    @Override
    public void beforeCommit(TransactionExecution transaction) {
        put(new Phase(transaction, true));
    }

    @Override
    public void beforeRollback(TransactionExecution transaction) {
        put(new Phase(transaction, true));
    }

    @Override
    public void afterCommit(TransactionExecution transaction, @Nullable Throwable commitFailure) {
        remove(transaction);
    }

    @Override
    public void afterRollback(TransactionExecution transaction, @Nullable Throwable rollbackFailure) {
        remove(transaction);
    }

    /** Makes it the innermost transaction. Several listeners may do so for the same transaction. */
    private static void put(Phase phase) {
        if (!(phase.transaction() instanceof TransactionStatus)) {
            return; // a reactive one, which is not bound to a thread
        }
        remove(phase.transaction());
        Deque<Phase> transactions = PHASES.get();
        if (transactions == null) {
            transactions = new ArrayDeque<>();
            PHASES.set(transactions);
        }
        transactions.push(phase);
    }

    private static void remove(TransactionExecution transaction) {
        Deque<Phase> transactions = PHASES.get();
        if (transactions != null) {
            transactions.removeIf(phase -> phase.transaction() == transaction);
            if (transactions.isEmpty()) {
                PHASES.remove();
            }
        }
    }
}
