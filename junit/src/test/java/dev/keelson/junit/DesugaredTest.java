package dev.keelson.junit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.classfile.Attributes;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassHierarchyResolver;
import java.lang.classfile.CodeElement;
import java.lang.classfile.MethodModel;
import java.lang.classfile.instruction.InvokeDynamicInstruction;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The part of the build that takes {@code invokedynamic} out of the classes of the server. */
class DesugaredTest {

  private static final String SOURCES = "../src/tools/java";

  @TempDir private Path directory;

  /** Has the classes of this test that were changed. */
  private static final class Changed extends ClassLoader {
    private final Map<String, byte[]> classes;

    Changed(Map<String, byte[]> classes) {
      super(DesugaredTest.class.getClassLoader());
      this.classes = classes;
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      synchronized (getClassLoadingLock(name)) {
        byte[] bytes = classes.get(name);
        Class<?> loaded = findLoadedClass(name);
        if (loaded != null || bytes == null) {
          return loaded == null ? super.loadClass(name, resolve) : loaded;
        }
        return defineClass(name, bytes, 0, bytes.length);
      }
    }
  }

  @Test
  void changedClasses_doWhatTheyDidBefore_withoutHiddenClasses() throws Exception {
    Class<?> changed =
        new Changed(desugared(samples())).loadClass(DesugaredSamples.class.getName());

    assertThat(changed.getMethod("run").invoke(null)).isEqualTo(DesugaredSamples.run());
    assertThat(changed.getMethod("hasHiddenClasses").invoke(null)).isEqualTo(false);
    assertThat(DesugaredSamples.hasHiddenClasses()).isTrue();
  }

  @Test
  void changedClasses_keepOnlyInstructionsOfOtherForms() throws Exception {
    // toString of records, switches over strings and constants of enums
    assertThat(bootstraps(desugared(samples())))
        .containsExactly("ObjectMethods.bootstrap toString");
  }

  @Test
  void classesOfAnAotCache_keepItsLambdasAndConcatenations() throws Exception {
    Map<String, byte[]> changed = desugared(samples(), "ofUncached");

    assertThat(changed).hasSameSizeAs(samples());
    assertThat(bootstraps(samples()))
        .anyMatch(each -> each.startsWith("SwitchBootstraps.typeSwitch"))
        .contains("ObjectMethods.bootstrap equals");
    assertThat(bootstraps(changed))
        .noneMatch(each -> each.startsWith("SwitchBootstraps.typeSwitch"))
        .doesNotContain("ObjectMethods.bootstrap equals", "ObjectMethods.bootstrap hashCode")
        .containsAll(
            bootstraps(samples()).stream()
                .filter(each -> each.startsWith("LambdaMetafactory") || each.startsWith("String"))
                .toList())
        .anyMatch(each -> each.startsWith("LambdaMetafactory"));
    Class<?> type = new Changed(changed).loadClass(DesugaredSamples.class.getName());
    assertThat(type.getMethod("run").invoke(null)).isEqualTo(DesugaredSamples.run());
  }

  /** What makes the call sites of the instructions, and the names of their methods. */
  private static Set<String> bootstraps(Map<String, byte[]> classes) {
    Set<String> all = new TreeSet<>();
    for (byte[] bytes : classes.values()) {
      for (MethodModel method : ClassFile.of().parse(bytes).methods()) {
        for (CodeElement element :
            method.code().<Iterable<CodeElement>>map(code -> code).orElse(List.of())) {
          if (element instanceof InvokeDynamicInstruction dynamic) {
            var bootstrap = dynamic.bootstrapMethod();
            all.add(
                bootstrap.owner().displayName()
                    + "."
                    + bootstrap.methodName()
                    + " "
                    + dynamic.name());
          }
        }
      }
    }
    return all;
  }

  @Test
  void changedClasses_shareClassesOfLambdas_andHaveNoNamesOfVariables() throws Exception {
    Map<String, byte[]> changed = desugared(samples());
    long lambdas = samples().values().stream().mapToLong(DesugaredTest::lambdas).sum();
    long made = changed.keySet().stream().filter(name -> name.matches(".*\\$\\$\\d+")).count();

    assertThat(made).isPositive().isLessThan(lambdas);
    for (byte[] bytes : changed.values()) {
      for (MethodModel method : ClassFile.of().parse(bytes).methods()) {
        assertThat(
                method.code().flatMap(code -> code.findAttribute(Attributes.localVariableTable())))
            .isEmpty();
      }
    }
  }

  private static long lambdas(byte[] bytes) {
    long count = 0;
    for (MethodModel method : ClassFile.of().parse(bytes).methods()) {
      for (CodeElement element :
          method.code().<Iterable<CodeElement>>map(code -> code).orElse(List.of())) {
        if (element instanceof InvokeDynamicInstruction dynamic
            && dynamic.bootstrapMethod().methodName().equals("metafactory")) {
          count++;
        }
      }
    }
    return count;
  }

  private static Map<String, byte[]> samples() throws IOException {
    Map<String, byte[]> all = new HashMap<>();
    Path root = Path.of("target/test-classes/dev/keelson/junit");
    try (var files = Files.newDirectoryStream(root, "DesugaredSamples*.class")) {
      for (Path file : files) {
        String name = file.getFileName().toString().replace(".class", "");
        all.put(DesugaredTest.class.getPackageName() + "." + name, Files.readAllBytes(file));
      }
    }
    return all;
  }

  private Map<String, byte[]> desugared(Map<String, byte[]> classes) throws Exception {
    return desugared(classes, "of");
  }

  /** Compiles and uses the class of the build, which is on no class path. */
  @SuppressWarnings("unchecked")
  private Map<String, byte[]> desugared(Map<String, byte[]> classes, String factory)
      throws Exception {
    int result =
        ToolProvider.getSystemJavaCompiler()
            .run(
                null,
                null,
                null,
                "-sourcepath",
                SOURCES,
                "-d",
                directory.toString(),
                SOURCES + "/Desugared.java");
    assertThat(result).isZero();
    try (URLClassLoader loader = new URLClassLoader(new URL[] {directory.toUri().toURL()})) {
      Class<?> type = loader.loadClass("Desugared");
      Method make = type.getDeclaredMethod(factory, ClassHierarchyResolver.class);
      make.setAccessible(true);
      Object desugared =
          make.invoke(null, ClassHierarchyResolver.ofResourceParsing(getClass().getClassLoader()));
      Method add = type.getDeclaredMethod("add", String.class, byte[].class);
      Method all = type.getDeclaredMethod("classes");
      Method failed = type.getDeclaredMethod("failed");
      add.setAccessible(true);
      all.setAccessible(true);
      failed.setAccessible(true);
      for (Map.Entry<String, byte[]> each : classes.entrySet()) {
        add.invoke(desugared, each.getKey(), each.getValue());
      }
      assertThat((Iterable<String>) failed.invoke(desugared)).isEmpty();
      return (Map<String, byte[]>) all.invoke(desugared);
    }
  }
}
