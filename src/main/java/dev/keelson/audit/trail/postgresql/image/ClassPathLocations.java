package dev.keelson.audit.trail.postgresql.image;

import com.oracle.svm.core.annotate.Substitute;
import com.oracle.svm.core.annotate.TargetClass;
import java.util.Collection;
import java.util.List;
import org.flywaydb.core.api.Location;
import org.flywaydb.core.api.configuration.Configuration;
import org.flywaydb.core.api.resource.LoadableResource;
import org.flywaydb.core.internal.scanner.classpath.ClasspathLocationHandlerImpl;

/**
 * Flyway's search of the class path: a native executable has none, and the trail names its files.
 */
@TargetClass(ClasspathLocationHandlerImpl.class)
final class ClassPathLocations {

  @Substitute
  public Collection<LoadableResource> scanForResources(
      Location location, Configuration configuration) {
    return List.of();
  }

  @Substitute
  public <I> Collection<Class<? extends I>> scanForClasses(
      Class<I> type, Location location, Configuration configuration) {
    return List.of();
  }
}
