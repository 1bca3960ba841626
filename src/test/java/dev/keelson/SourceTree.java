package dev.keelson;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The source files under one root, for rules that bytecode cannot show: sizes and Javadoc. */
final class SourceTree {

  private static final String PACKAGE_INFO = "package-info.java";

  private static final Pattern JAVADOC = Pattern.compile("/\\*\\*(.*?)\\*/", Pattern.DOTALL);

  private final Path root;
  private final Set<Path> files = new TreeSet<>();

  private SourceTree(Path root) {
    this.root = root;
  }

  /** Reads the names of all Java files below a directory of the working tree. */
  static SourceTree below(String directory) throws IOException {
    SourceTree tree = new SourceTree(Path.of(directory));
    try (Stream<Path> found = Files.walk(tree.root)) {
      found.filter(file -> file.toString().endsWith(".java")).forEach(tree.files::add);
    }
    return tree;
  }

  /** The number of files, package descriptions included. */
  int size() {
    return files.size();
  }

  /** The packages with more types than a limit. */
  Set<String> packagesOver(int limit) {
    Map<String, Integer> counts = new TreeMap<>();
    for (Path file : files) {
      if (!file.endsWith(PACKAGE_INFO)) {
        counts.merge(packageOf(file), 1, Integer::sum);
      }
    }
    counts.values().removeIf(count -> count <= limit);
    return counts.keySet();
  }

  /** The files with more lines than a limit, by the name of their type. */
  Set<String> typesOver(int limit) throws IOException {
    Set<String> found = new TreeSet<>();
    for (Path file : files) {
      try (Stream<String> lines = Files.lines(file)) {
        if (lines.count() > limit) {
          String name = file.getFileName().toString();
          found.add(packageOf(file) + "." + name.substring(0, name.length() - ".java".length()));
        }
      }
    }
    return found;
  }

  /** The packages whose description is missing or has fewer words than a limit. */
  Set<String> packagesWithFewerWordsThan(int limit) throws IOException {
    Set<String> found = new TreeSet<>();
    for (Path file : files) {
      Path description = file.resolveSibling(PACKAGE_INFO);
      if (!files.contains(description) || words(Files.readString(description)) < limit) {
        found.add(packageOf(file));
      }
    }
    return found;
  }

  private static int words(String source) {
    Matcher javadoc = JAVADOC.matcher(source);
    return javadoc.find() ? javadoc.group(1).replace("*", " ").strip().split("\\s+").length : 0;
  }

  private String packageOf(Path file) {
    return root.relativize(file.getParent()).toString().replace('/', '.');
  }
}
