package dev.keelson.schema.openapi;

import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.openapi.operation.Parameter;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The parameters that a document of Swagger 2.0 has once, under {@code #/parameters/}: they would
 * be half of the document else. Used by one thread until it is frozen, then by several.
 */
final class SharedParameters {

  private final Map<Parameter, MapNode> references = new HashMap<>();
  private final Map<String, Node> definitions = new TreeMap<>();
  private boolean frozen;

  /** Adds no more parameters. */
  void freeze() {
    frozen = true;
  }

  /** The parameters by name. */
  MapNode definitions() {
    return MapNode.copyOf(definitions);
  }

  /**
   * A reference to a parameter.
   *
   * @param definition its tree
   * @return null if it is not among the frozen ones
   */
  @Nullable MapNode reference(Parameter parameter, MapNode definition) {
    MapNode known = references.get(parameter);
    if (known == null && !frozen) {
      String name = parameter.name();
      for (int i = 2; definitions.containsKey(name); i++) {
        name = parameter.name() + "-" + i;
      }
      definitions.put(name, definition);
      known = MapNode.of("$ref", Node.text("#/parameters/" + name));
      references.put(parameter, known);
    }
    return known;
  }
}
