package dev.keelson.schema.openapi.merge;

import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.BiPredicate;
import java.util.function.Predicate;

/**
 * The parts of a Swagger 2.0 document that are put together: the rest is said by the first of the
 * documents. Each value of the three objects is an object.
 */
public record SwaggerSpec(MapNode paths, MapNode definitions, MapNode parameters) {

  private static final String DEFINITIONS = "#/definitions/";
  private static final String PARAMETERS = "#/parameters/";

  public SwaggerSpec {
    paths = objects(paths);
    definitions = objects(definitions);
    parameters = objects(parameters);
  }

  private static MapNode objects(MapNode entries) {
    return filtered(entries, key -> entries.get(key) instanceof MapNode);
  }

  private static MapNode filtered(MapNode entries, Predicate<String> kept) {
    if (entries.keys().stream().allMatch(kept)) {
      return entries;
    }
    MapNode.Builder filtered = MapNode.builder(entries.size());
    entries.forEach(
        (key, value) -> {
          if (kept.test(key)) {
            filtered.put(key, value);
          }
        });
    return filtered.build();
  }

  /** The parts of a document. */
  public static SwaggerSpec of(MapNode document) {
    return new SwaggerSpec(
        document.map("paths"), document.map("definitions"), document.map("parameters"));
  }

  /** A document of these parts alone. */
  public MapNode tree() {
    return MapNode.builder(3)
        .put("paths", paths)
        .put("definitions", definitions)
        .put("parameters", parameters)
        .build();
  }

  /**
   * Some of the paths, without the definitions and parameters that only the others use. What no
   * path uses stays (source: {@code FilterSpecByPathsWithoutSideEffects}).
   */
  public SwaggerSpec only(Predicate<String> path) {
    MapNode kept = filtered(paths, path);
    Set<String> before = used(paths);
    Set<String> after = used(kept);
    return new SwaggerSpec(
        kept,
        filtered(definitions, name -> isKept(DEFINITIONS + name, before, after)),
        filtered(parameters, name -> isKept(PARAMETERS + name, before, after)));
  }

  private static boolean isKept(String reference, Set<String> before, Set<String> after) {
    return after.contains(reference) || !before.contains(reference);
  }

  /** What some paths refer to, by way of definitions and parameters as well. */
  private Set<String> used(MapNode from) {
    Set<String> used = new HashSet<>();
    Deque<String> open = new ArrayDeque<>();
    References.each(
        from,
        reference -> {
          if (used.add(reference)) {
            open.add(reference);
          }
        });
    while (!open.isEmpty()) {
      References.each(
          target(open.remove()),
          reference -> {
            if (used.add(reference)) {
              open.add(reference);
            }
          });
    }
    return used;
  }

  private MapNode target(String reference) {
    if (reference.startsWith(DEFINITIONS)) {
      return definitions.map(reference.substring(DEFINITIONS.length()));
    }
    return reference.startsWith(PARAMETERS)
        ? parameters.map(reference.substring(PARAMETERS.length()))
        : MapNode.EMPTY;
  }

  /**
   * This with another document. Paths of this one win; a definition of the other one whose name
   * stands for something else here gets a number behind its name, and definitions that differ in
   * their kinds only become one (source: {@code
   * MergeSpecsIgnorePathConflictRenamingDefinitionsAndParameters}).
   *
   * @param taken whether a name of a definition is used elsewhere
   */
  public SwaggerSpec with(SwaggerSpec other, Predicate<String> taken) {
    SwaggerSpec added =
        other.paths.keys().stream().anyMatch(paths::has)
            ? other.only(path -> !paths.has(path))
            : other;
    if (added.paths.isEmpty()) {
      return this;
    }
    Map<String, String> definitionNames =
        newNames(definitions, added.definitions, taken, KindLists::same);
    Map<String, String> parameterNames =
        newNames(parameters, added.parameters, name -> false, Node::equals);
    Map<String, String> references = new HashMap<>();
    definitionNames.forEach((from, to) -> references.put(DEFINITIONS + from, DEFINITIONS + to));
    parameterNames.forEach((from, to) -> references.put(PARAMETERS + from, PARAMETERS + to));
    return new SwaggerSpec(
        joined(paths, renamed(added.paths, Map.of(), references)),
        joined(definitions, renamed(added.definitions, definitionNames, references)),
        joined(parameters, renamed(added.parameters, parameterNames, references)));
  }

  /** The names for those of {@code added} whose own stand for something else. */
  private static Map<String, String> newNames(
      MapNode known, MapNode added, Predicate<String> taken, BiPredicate<Node, Node> same) {
    Map<String, String> names = new HashMap<>();
    Set<String> given = new HashSet<>();
    added.forEach(
        (name, value) -> {
          Node current = known.get(name);
          boolean free = current == null && !taken.test(name);
          if (free || (current != null && same.test(current, value))) {
            return;
          }
          for (int i = 2; !names.containsKey(name); i++) {
            String candidate = name + "_v" + i;
            Node there = known.get(candidate);
            boolean reused = there != null && same.test(there, value);
            boolean unused = there == null && !taken.test(candidate) && !added.has(candidate);
            if (reused || (unused && given.add(candidate))) {
              names.put(name, candidate);
            }
          }
        });
    return names;
  }

  private static MapNode renamed(
      MapNode entries, Map<String, String> names, Map<String, String> references) {
    if (references.isEmpty()) {
      return entries;
    }
    MapNode.Builder renamed = MapNode.builder(entries.size());
    entries.forEach(
        (name, value) ->
            renamed.set(names.getOrDefault(name, name), References.renamed(value, references)));
    return renamed.build();
  }

  /** All entries; those of both become one with the kinds of both. */
  private static MapNode joined(MapNode first, MapNode second) {
    MapNode.Builder all = MapNode.builder(first.size() + second.size());
    first.forEach(
        (key, value) ->
            all.put(
                key,
                second.get(key) instanceof MapNode same && value instanceof MapNode own
                    ? KindLists.joined(own, same)
                    : value));
    second.forEach(
        (key, value) -> {
          if (!first.has(key)) {
            all.put(key, value);
          }
        });
    return all.build();
  }
}
