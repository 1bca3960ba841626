package dev.keelson;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.spi.ToolProvider;

/**
 * Cycles between the top-level classes of one package. A nested class counts as the class around
 * it, and dependencies on other packages do not count: those are the business of {@link Layers}.
 * The dependencies are those that {@code jdeps} prints, which sees {@code permits} and the types of
 * signatures as well.
 */
final class ClassCycles {

  private static final Pattern DEPENDENCY =
      Pattern.compile("^ +(dev\\.keelson\\S+) +-> (dev\\.keelson\\S+)", Pattern.MULTILINE);

  private final Map<String, Set<String>> uses = new TreeMap<>();
  private final Map<String, Integer> index = new HashMap<>();
  private final Map<String, Integer> low = new HashMap<>();
  private final Deque<String> open = new ArrayDeque<>();
  private final Set<String> found = new TreeSet<>();

  private ClassCycles() {}

  /**
   * Each cycle as the package and the simple names in it, in the order of the alphabet.
   *
   * @param directory where the compiled classes are
   */
  static Set<String> in(String directory) {
    ClassCycles cycles = new ClassCycles();
    Matcher lines = DEPENDENCY.matcher(jdeps(directory));
    while (lines.find()) {
      cycles.add(lines.group(1), lines.group(2));
    }
    if (cycles.uses.isEmpty()) {
      throw new IllegalStateException("jdeps found no dependencies in " + directory);
    }
    for (String type : cycles.uses.keySet()) {
      if (!cycles.index.containsKey(type)) {
        cycles.visit(type);
      }
    }
    return cycles.found;
  }

  private static String jdeps(String directory) {
    StringWriter out = new StringWriter();
    StringWriter errors = new StringWriter();
    int code =
        ToolProvider.findFirst("jdeps")
            .orElseThrow(() -> new IllegalStateException("the tests need a JDK with jdeps"))
            .run(
                new PrintWriter(out),
                new PrintWriter(errors),
                "-verbose",
                "--ignore-missing-deps",
                directory);
    if (code != 0) {
      throw new IllegalStateException("jdeps ended with " + code + ": " + errors);
    }
    return out.toString();
  }

  private void add(String from, String to) {
    String origin = topLevel(from);
    String target = topLevel(to);
    if (packageOf(origin).equals(packageOf(target)) && !origin.equals(target)) {
      uses.computeIfAbsent(origin, unused -> new TreeSet<>()).add(target);
    }
  }

  private static String packageOf(String name) {
    return name.substring(0, name.lastIndexOf('.'));
  }

  private static String topLevel(String name) {
    int nested = name.indexOf('$');
    return nested < 0 ? name : name.substring(0, nested);
  }

  /** Tarjan's strongly connected components: one of more than one class is a cycle. */
  private void visit(String type) {
    int order = index.size();
    index.put(type, order);
    low.put(type, order);
    open.push(type);
    for (String used : uses.getOrDefault(type, Set.of())) {
      if (!index.containsKey(used)) {
        visit(used);
        low.merge(type, low.get(used), Math::min);
      } else if (open.contains(used)) {
        low.merge(type, index.get(used), Math::min);
      }
    }
    if (low.get(type) == order) {
      Set<String> component = new TreeSet<>(popUntil(type));
      if (component.size() > 1) {
        found.add(describe(component));
      }
    }
  }

  private Set<String> popUntil(String type) {
    Set<String> popped = new HashSet<>();
    while (!popped.contains(type)) {
      popped.add(open.pop());
    }
    return popped;
  }

  private static String describe(Set<String> component) {
    String packageName = packageOf(component.iterator().next());
    List<String> names =
        component.stream().map(name -> name.substring(packageName.length() + 1)).toList();
    return packageName + ": " + String.join(", ", names);
  }
}
