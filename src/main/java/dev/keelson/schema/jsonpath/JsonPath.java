package dev.keelson.schema.jsonpath;

import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.value.ValueFormatException;
import java.util.ArrayList;
import java.util.List;

/**
 * A path that finds values in objects, for example {@code
 * .status.conditions[?(@.type=="Ready")].status}. Fields that are missing find nothing. Immutable;
 * safe for use by several threads.
 */
public final class JsonPath {

  private final List<List<Step>> blocks;

  private JsonPath(List<List<Step>> blocks) {
    this.blocks = blocks;
  }

  /**
   * Reads a path.
   *
   * @param path without the braces of a template
   * @throws ValueFormatException in client-go's words if the syntax is wrong
   */
  public static JsonPath of(String path) {
    return new JsonPath(JsonPathParser.template("{" + path + "}"));
  }

  /**
   * The values that the path finds in an object, in order.
   *
   * @return empty also if the path cannot be followed, as with an index outside of an array, a
   *     filter on something that is no array, or one that visits more than 100,000 values
   */
  public List<Node> find(MapNode object) {
    try {
      Evaluation evaluation = new Evaluation();
      List<Node> first = evaluation.follow(List.of(object), blocks.getFirst());
      for (List<Step> block : blocks.subList(1, blocks.size())) {
        List<Node> unused = evaluation.follow(List.of(object), block);
      }
      return first;
    } catch (UnfollowableException failed) {
      return List.of();
    }
  }

  /**
   * The names of the fields that the path passes before anything else: it sees no other part of an
   * object. Empty if it may see all of it.
   */
  public List<String> fields() {
    List<String> names = new ArrayList<>();
    if (blocks.size() == 1) {
      for (Step step : blocks.getFirst()) {
        if (!(step instanceof Step.Field field)) {
          break;
        }
        names.add(field.name());
      }
    }
    return names;
  }
}
