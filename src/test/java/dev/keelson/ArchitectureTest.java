package dev.keelson;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.io.IOException;
import java.time.Clock;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiPredicate;
import java.util.regex.Pattern;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Keeps the packages in the order of {@link Layers}. It reads bytecode, so an inlined constant or
 * an annotation that is gone after compilation escapes it.
 */
@Timeout(120)
class ArchitectureTest {

  /** So that a renamed root package cannot turn every rule below into one about nothing. */
  private static final int FEWEST_CLASSES = 60;

  /** Wires the rest, and is therefore the one place for clocks, streams and reflection. */
  private static final String SERVER = Layers.ROOT + "server..";

  private static final int MOST_FILES = 25;
  private static final int MOST_LINES = 500;

  /** Two sentences: what the package holds, and where to begin reading. */
  private static final int FEWEST_WORDS = 12;

  /** Everything logs by {@code org.jboss.logging}, which is Quarkus's own. */
  private static final Pattern OTHER_LOGGERS =
      Pattern.compile(
          "java\\.util\\.logging\\..*|java\\.lang\\.System\\$Logger.*|org\\.slf4j\\..*"
              + "|org\\.apache\\.(commons\\.logging|logging)\\..*|io\\.quarkus\\.logging\\..*");

  private static JavaClasses classes;
  private static SourceTree sources;

  @BeforeAll
  static void readSources() throws IOException {
    sources = SourceTree.below("src/main/java");
    assertThat(sources.size()).isGreaterThanOrEqualTo(FEWEST_CLASSES);
  }

  @BeforeAll
  static void readClasses() {
    classes =
        new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("dev.keelson");
  }

  @Test
  void importedClasses_areAllOfThem() {
    assertThat(classes.size()).isGreaterThanOrEqualTo(FEWEST_CLASSES);
  }

  @Test
  void table_namesOnlyItsOwnRows() {
    assertThat(Layers.unknownNames()).isEmpty();
  }

  @Test
  void table_deniesWhatItDoesNotList() {
    assertThat(Layers.allows("dev.keelson.storage.etcd", "dev.keelson.storage")).isTrue();
    assertThat(Layers.allows("dev.keelson.storage", "dev.keelson.storage.etcd")).isFalse();
    assertThat(Layers.allows("dev.keelson.storage.etcd", "dev.keelson.storage.sqlite")).isFalse();
    assertThat(Layers.allows("dev.keelson.registry", "dev.keelson.schema.codec")).isTrue();
    assertThat(Layers.allows("dev.keelson.schema.patch", "dev.keelson.schema.codec")).isFalse();
    assertThat(Layers.allows("dev.keelson.authn.x509", "dev.keelson.authn.token")).isFalse();
    assertThat(Layers.allows("dev.keelson.unheard", "dev.keelson.object")).isFalse();
    assertThat(Layers.allowsLibrary("dev.keelson.storage", "java.sql.Connection")).isFalse();
    assertThat(Layers.allowsLibrary("dev.keelson.http.verb", "jakarta.ws.rs.GET")).isFalse();
    assertThat(Layers.allowsLibrary("dev.keelson.http.verb", "org.unheard.Thing")).isFalse();
  }

  @Test
  void packages_haveARowInTheTable() {
    Set<String> strangers = new TreeSet<>();
    for (JavaClass type : classes) {
      if (Layers.rowOf(type.getPackageName()).isEmpty()) {
        strangers.add(type.getPackageName());
      }
    }

    assertThat(strangers).as("packages without a row in Layers").isEmpty();
  }

  @Test
  void packages_useOnlyWhatTheirRowLists() {
    Set<String> violations =
        dependencies(
            (from, to) ->
                to.getName().startsWith(Layers.ROOT)
                    && !Layers.allows(from.getPackageName(), to.getPackageName()));

    assertThat(violations).isEmpty();
  }

  @Test
  void libraries_areUsedOnlyBehindTheirFences() {
    Set<String> violations =
        dependencies(
            (from, to) ->
                !to.getName().startsWith(Layers.ROOT)
                    && !to.isPrimitive()
                    && !Layers.allowsLibrary(from.getPackageName(), to.getName()));

    assertThat(violations).isEmpty();
  }

  @Test
  void topPackages_haveNoCycles() {
    slices().matching("dev.keelson.(*)..").should().beFreeOfCycles().check(classes);
  }

  @Test
  void allPackages_haveNoCycles() {
    slices().matching("dev.keelson.(**)").should().beFreeOfCycles().check(classes);
  }

  @Test
  void packages_areNullMarked() {
    Set<String> unmarked = new TreeSet<>();
    for (JavaClass type : classes) {
      if (!type.getPackage().isAnnotatedWith(NullMarked.class)) {
        unmarked.add(type.getPackageName());
      }
    }

    assertThat(unmarked).as("packages whose package-info lacks @NullMarked").isEmpty();
  }

  @Test
  void packages_areDescribed() throws IOException {
    KnownViolations.check(
        "package without description", sources.packagesWithFewerWordsThan(FEWEST_WORDS));
  }

  @Test
  void packages_areNotTooLarge() throws IOException {
    KnownViolations.check("package over 25 files", sources.packagesOver(MOST_FILES));
  }

  @Test
  void files_areNotTooLong() throws IOException {
    KnownViolations.check("file over 500 lines", sources.typesOver(MOST_LINES));
  }

  @Test
  void classesOfAPackage_haveNoCycles() throws IOException {
    KnownViolations.check("class cycle", ClassCycles.in("target/classes"));
  }

  @Test
  void logging_goesThroughOneLogger() throws IOException {
    Set<String> violations = new TreeSet<>();
    for (JavaClass type : classes) {
      if (type.getDirectDependenciesFromSelf().stream()
          .map(dependency -> dependency.getTargetClass().getName())
          .anyMatch(OTHER_LOGGERS.asMatchPredicate())) {
        violations.add(type.getName());
      }
    }

    KnownViolations.check("other logger", violations);
  }

  @Test
  void standardStreams_areOnlyTheServers() {
    noClasses()
        .that()
        .resideOutsideOfPackage(SERVER)
        .should()
        .accessField(System.class, "out")
        .orShould()
        .accessField(System.class, "err")
        .orShould()
        .callMethod(Throwable.class, "printStackTrace")
        .check(classes);
  }

  @Test
  void systemClock_isOnlyTheServers() {
    noClasses()
        .that()
        .resideOutsideOfPackage(SERVER)
        .should()
        .callMethodWhere(
            calls(Instant.class, "now")
                .or(calls(InstantSource.class, "system"))
                .or(calls(Clock.class, "systemUTC", "systemDefaultZone", "system"))
                .or(calls(System.class, "currentTimeMillis")))
        .because("time is injected as an InstantSource, so that tests can set it")
        .check(classes);
  }

  @Test
  void exit_isOnlyTheServers() {
    noClasses()
        .that()
        .resideOutsideOfPackage(SERVER)
        .should()
        .callMethodWhere(calls(System.class, "exit").or(calls(Runtime.class, "exit", "halt")))
        .check(classes);
  }

  @Test
  void reflection_isOnlyTheServers() {
    noClasses()
        .that()
        .resideOutsideOfPackage(SERVER)
        .should()
        .callMethodWhere(calls(Class.class, "forName").or(calls(ServiceLoader.class, "load")))
        .because("what reflection finds must be registered for the native executable")
        .check(classes);
  }

  private static DescribedPredicate<JavaAccess<?>> calls(Class<?> owner, String... methods) {
    List<String> names = Arrays.asList(methods);
    return describe(
        owner.getSimpleName() + "." + names,
        access ->
            access.getTargetOwner().isEquivalentTo(owner)
                && names.contains(access.getTarget().getName()));
  }

  private static Set<String> dependencies(BiPredicate<JavaClass, JavaClass> denied) {
    Set<String> found = new TreeSet<>();
    for (JavaClass type : classes) {
      type.getDirectDependenciesFromSelf().stream()
          .filter(
              dependency ->
                  denied.test(
                      dependency.getOriginClass(),
                      dependency.getTargetClass().getBaseComponentType()))
          .map(
              dependency ->
                  dependency.getOriginClass().getName()
                      + " uses "
                      + dependency.getTargetClass().getBaseComponentType().getName())
          .forEach(found::add);
    }
    return found;
  }
}
