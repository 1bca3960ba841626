package dev.keelson.audit.trail.postgresql.image;

import com.oracle.svm.core.annotate.Substitute;
import com.oracle.svm.core.annotate.TargetClass;
import java.util.Set;
import org.flywaydb.core.internal.scanner.classpath.ClassPathScanner;
import org.flywaydb.core.internal.util.Pair;

/**
 * Flyway's search of the class path: a native executable has none, and the trail names its files.
 */
@TargetClass(ClassPathScanner.class)
@SuppressWarnings("UnusedMethod") // called by what it is a part of
final class ClassPathLocations {

  @Substitute
  private Set<Pair<String, String>> findResourceNamesAndParentURLs() {
    return Set.of();
  }
}
