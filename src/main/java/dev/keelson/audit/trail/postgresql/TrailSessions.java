package dev.keelson.audit.trail.postgresql;

import io.vertx.core.Vertx;
import io.vertx.sqlclient.Pool;
import java.util.Map;
import org.hibernate.boot.MetadataSources;
import org.hibernate.boot.registry.BootstrapServiceRegistryBuilder;
import org.hibernate.boot.registry.StandardServiceRegistry;
import org.hibernate.bytecode.internal.none.BytecodeProviderImpl;
import org.hibernate.bytecode.spi.BytecodeProvider;
import org.hibernate.cfg.AvailableSettings;
import org.hibernate.dialect.PostgreSQLDialect;
import org.hibernate.engine.jdbc.spi.SqlExceptionHelper;
import org.hibernate.engine.jdbc.spi.SqlStatementLogger;
import org.hibernate.reactive.pool.ReactiveConnectionPool;
import org.hibernate.reactive.pool.impl.ExternalSqlClientPool;
import org.hibernate.reactive.provider.ReactiveServiceRegistryBuilder;
import org.hibernate.reactive.stage.Stage;
import org.hibernate.reactive.vertx.VertxInstance;
import org.hibernate.reactive.vertx.impl.ProvidedVertxInstance;

/**
 * Makes Hibernate Reactive's session factory of the trail's entities. In the program and not by the
 * Quarkus extension, which reads the entities at every start: see docs/decisions/0013.
 */
final class TrailSessions {

  /**
   * No connection while it is made; no classes made at run time, which a native executable has not;
   * nothing that the entities do not use.
   */
  private static final Map<String, Object> SETTINGS =
      Map.of(
          AvailableSettings.DIALECT, PostgreSQLDialect.class.getName(),
          AvailableSettings.ALLOW_METADATA_ON_BOOT, false,
          AvailableSettings.XML_MAPPING_ENABLED, false,
          AvailableSettings.JAKARTA_VALIDATION_MODE, "none",
          AvailableSettings.USE_SECOND_LEVEL_CACHE, false,
          AvailableSettings.USE_QUERY_CACHE, false,
          AvailableSettings.IMPLICIT_NAMING_STRATEGY, "jpa");

  private TrailSessions() {}

  /** A factory whose sessions use the connections of a pool; the caller closes the pool. */
  static Stage.SessionFactory open(Vertx vertx, Pool pool) {
    StandardServiceRegistry services =
        new ReactiveServiceRegistryBuilder(new BootstrapServiceRegistryBuilder().build())
            .applySettings(SETTINGS)
            .addService(VertxInstance.class, new ProvidedVertxInstance(vertx))
            .addService(BytecodeProvider.class, new BytecodeProviderImpl())
            .addService(
                ReactiveConnectionPool.class,
                new ExternalSqlClientPool(
                    pool, new SqlStatementLogger(), new SqlExceptionHelper(false)))
            .build();
    return new MetadataSources(services)
        .addAnnotatedClass(AuditEvent.class)
        .addAnnotatedClass(StoredEvent.class)
        .buildMetadata()
        .buildSessionFactory()
        .unwrap(Stage.SessionFactory.class);
  }
}
