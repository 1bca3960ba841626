package dev.keelson;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.domain.JavaMethodCall;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import jakarta.ws.rs.HttpMethod;
import jakarta.ws.rs.Path;
import java.io.IOException;
import java.time.Clock;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.HashSet;
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

  private static final String ENDPOINT = Layers.ROOT + "http.endpoint";

  /** The methods of {@link #API} that have a request answered by the filter chain. */
  private static final Set<String> CHAINS = Set.of("objects", "document", "unmatched");

  private static final String API = ENDPOINT + ".Api";

  /** What resource classes may use of this program, so that nothing else can answer. */
  private static final Set<String> USED_BY_RESOURCES =
      Set.of(
          API,
          ENDPOINT + ".ResponseWriter",
          ENDPOINT + ".MatchedPath",
          Layers.ROOT + "http.ApiResponse");

  /** Resource classes that answer without the filter chain, to anybody. There are none. */
  private static final Set<String> PUBLIC_RESOURCES = Set.of();

  /** So that the rules about resource methods are not about nothing. */
  private static final int FEWEST_RESOURCE_METHODS = 60;

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

  /** What disturbs a server is for tests of other projects, which begin at EmbeddedServer. */
  @Test
  void embeddedServer_isUsedByNothing() {
    noClasses()
        .that()
        .doNotHaveFullyQualifiedName("dev.keelson.server.EmbeddedServer")
        .and()
        .resideOutsideOfPackage("dev.keelson.server.embedded")
        .should()
        .dependOnClassesThat()
        .haveFullyQualifiedName("dev.keelson.server.EmbeddedServer")
        .orShould()
        .dependOnClassesThat()
        .resideInAPackage("dev.keelson.server.embedded")
        .check(classes);
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
    assertThat(sources.packagesWithFewerWordsThan(FEWEST_WORDS))
        .as("packages without description")
        .isEmpty();
  }

  @Test
  void packages_areNotTooLarge() {
    assertThat(sources.packagesOver(MOST_FILES)).as("packages over 25 files").isEmpty();
  }

  @Test
  void files_areNotTooLong() throws IOException {
    assertThat(sources.typesOver(MOST_LINES)).as("files over 500 lines").isEmpty();
  }

  @Test
  void classesOfAPackage_haveNoCycles() {
    assertThat(ClassCycles.in("target/classes")).as("class cycles").isEmpty();
  }

  @Test
  void resourceClasses_areEndpoints() {
    Set<String> strangers = new TreeSet<>();
    for (JavaClass type : classes) {
      if (isResource(type) && !type.getPackageName().equals(ENDPOINT)) {
        strangers.add(type.getName());
      }
    }

    assertThat(strangers).as("JAX-RS resources outside of http.endpoint").isEmpty();
  }

  @Test
  void resourceClasses_useOnlyTheFilterChain() {
    Set<String> violations =
        dependencies(
            (from, to) ->
                isFiltered(from)
                    && to.getName().startsWith(Layers.ROOT)
                    && !isResource(to)
                    && !USED_BY_RESOURCES.contains(to.getName()));

    assertThat(violations).isEmpty();
  }

  @Test
  void resourceMethods_answerThroughTheFilterChain() {
    List<JavaMethod> methods =
        classes.stream()
            .filter(ArchitectureTest::isFiltered)
            .flatMap(type -> type.getMethods().stream())
            .filter(ArchitectureTest::isResourceMethod)
            .toList();

    assertThat(methods).hasSizeGreaterThanOrEqualTo(FEWEST_RESOURCE_METHODS);
    assertThat(methods)
        .filteredOn(method -> !callsChain(method, new HashSet<>()))
        .as("resource methods that do not call the filter chain")
        .isEmpty();
  }

  @Test
  void logging_goesThroughOneLogger() {
    Set<String> violations = new TreeSet<>();
    for (JavaClass type : classes) {
      // the formatter of the log reads its records
      boolean formats = type.getPackageName().equals(Layers.ROOT + "server.log");
      if (!formats
          && type.getDirectDependenciesFromSelf().stream()
              .map(dependency -> dependency.getTargetClass().getName())
              .anyMatch(OTHER_LOGGERS.asMatchPredicate())) {
        violations.add(type.getName());
      }
    }

    assertThat(violations).as("users of other loggers").isEmpty();
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

  private static boolean isResource(JavaClass type) {
    return type.isAnnotatedWith(Path.class)
        || type.getMethods().stream().anyMatch(ArchitectureTest::isResourceMethod);
  }

  private static boolean isFiltered(JavaClass type) {
    return isResource(type) && !PUBLIC_RESOURCES.contains(type.getName());
  }

  private static boolean isResourceMethod(JavaMethod method) {
    return method.isAnnotatedWith(Path.class) || method.isMetaAnnotatedWith(HttpMethod.class);
  }

  /** Whether a method calls the chain itself, or by another method of its class or a superclass. */
  private static boolean callsChain(JavaMethod method, Set<JavaMethod> seen) {
    if (!seen.add(method)) {
      return false;
    }
    for (JavaMethodCall call : method.getMethodCallsFromSelf()) {
      boolean chain =
          call.getTargetOwner().getName().equals(API)
              ? CHAINS.contains(call.getTarget().getName())
              : method.getOwner().isAssignableTo(call.getTargetOwner().getName())
                  && call.getTarget()
                      .resolveMember()
                      .filter(own -> callsChain(own, seen))
                      .isPresent();
      if (chain) {
        return true;
      }
    }
    return false;
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
