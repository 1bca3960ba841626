package dev.keelson.audit.trail.postgresql.image;

import com.oracle.svm.core.annotate.Substitute;
import com.oracle.svm.core.annotate.TargetClass;
import org.hibernate.dialect.Dialect;
import org.hibernate.dialect.PostgreSQLDialect;
import org.hibernate.engine.jdbc.dialect.spi.DialectResolutionInfo;
import org.hibernate.reactive.engine.jdbc.dialect.internal.ReactiveStandardDialectResolver;

/**
 * Hibernate Reactive's choice of a dialect in the native executable, where PostgreSQL's is the only
 * one: the others would be linked with it, and Oracle's needs a library that is not there.
 */
@TargetClass(ReactiveStandardDialectResolver.class)
final class ReactiveDialects {

  @Substitute
  public Dialect resolveDialect(DialectResolutionInfo info) {
    return new PostgreSQLDialect(info);
  }
}
