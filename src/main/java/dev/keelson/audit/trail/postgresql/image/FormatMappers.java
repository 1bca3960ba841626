package dev.keelson.audit.trail.postgresql.image;

import com.oracle.svm.core.annotate.Substitute;
import com.oracle.svm.core.annotate.TargetClass;
import org.hibernate.boot.internal.SessionFactoryOptionsBuilder;
import org.hibernate.boot.registry.selector.spi.StrategySelector;
import org.hibernate.type.format.FormatMapper;
import org.hibernate.type.format.FormatMapperCreationContext;
import org.jspecify.annotations.Nullable;

/** Hibernate's mapping of embedded objects to JSON and XML: the trail's entities have none. */
@TargetClass(SessionFactoryOptionsBuilder.class)
@SuppressWarnings({"UnusedMethod", "UnusedVariable"}) // called and named by what they replace
final class FormatMappers {

  @Substitute
  private static @Nullable FormatMapper jsonFormatMapper(
      @Nullable Object setting,
      boolean oson,
      StrategySelector selector,
      FormatMapperCreationContext context) {
    return null;
  }

  @Substitute
  private static @Nullable FormatMapper xmlFormatMapper(
      @Nullable Object setting,
      StrategySelector selector,
      boolean legacy,
      FormatMapperCreationContext context) {
    return null;
  }
}
