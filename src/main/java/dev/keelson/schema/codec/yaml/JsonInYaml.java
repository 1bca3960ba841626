package dev.keelson.schema.codec.yaml;

import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.codec.json.JsonTokens;
import dev.keelson.schema.codec.tree.DecodeException;
import dev.keelson.schema.codec.tree.DecodeException.Fault;
import dev.keelson.schema.codec.tree.TreeBudget;
import dev.keelson.schema.codec.tree.Untyped;
import dev.keelson.schema.codec.tree.UntypedReader;
import org.jspecify.annotations.Nullable;

/**
 * JSON where YAML is expected, which is what most programs send: read as JSON it costs a fraction.
 * Only for documents that mean the same in both.
 */
public final class JsonInYaml {

  /** A key that YAML has a use for. */
  private static final String MERGE = "<<";

  private JsonInYaml() {}

  /**
   * The tree, or null if the document is not JSON, has duplicate keys, or may mean something else
   * in YAML; its reader knows what to say then.
   *
   * @throws DecodeException of fault SIZE beyond the budget
   */
  public static @Nullable Node read(byte[] document, TreeBudget budget) {
    Untyped read;
    try {
      read = new UntypedReader(JsonTokens.of(document, budget)).document();
    } catch (DecodeException notJson) {
      if (notJson.fault() == Fault.SIZE) {
        throw notJson;
      }
      return null;
    }
    return read.problems().isEmpty() && isSame(read.root()) ? read.root() : null;
  }

  private static boolean isSame(Node node) {
    return switch (node) {
      case MapNode map -> {
        for (int i = 0; i < map.size(); i++) {
          if (map.keyAt(i).equals(MERGE) || !isSame(map.valueAt(i))) {
            yield false;
          }
        }
        yield true;
      }
      case Node.Items items -> items.values().stream().allMatch(JsonInYaml::isSame);
      // YAML may write fractions and large numbers in another form
      case Node.Decimal _ -> false;
      case Node.Text _, Node.Int _, Node.Bool _, Node.Null _ -> true;
    };
  }
}
