package dev.keelson.registry;

import dev.keelson.api.GroupVersion;
import dev.keelson.api.GroupVersionKind;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.CustomResourceVersion;
import dev.keelson.schema.SchemaNode.StructSchema;
import dev.keelson.schema.codec.ObjectReader;
import dev.keelson.schema.codec.tree.FieldValidation;
import java.util.ArrayList;
import java.util.List;

/**
 * Converts objects of custom resources by the strategy of their definition, and prunes them by the
 * schema of the target version. Defaults are not set, as in Kubernetes: those of the stored version
 * are, when an object is read.
 */
final class CustomConversion {

  private final CustomConverter webhook;

  CustomConversion(CustomConverter webhook) {
    this.webhook = webhook;
  }

  /**
   * The same objects in another version.
   *
   * @param version the version {@code to}
   * @param schema the shape of {@code version}
   */
  List<ApiObject> convert(
      List<ApiObject> objects,
      CustomResourceVersion version,
      StructSchema schema,
      GroupVersionKind to) {
    return version.resource().isConvertedByWebhook()
        ? byWebhook(objects, version, schema, to)
        : objects.stream()
            .map(
                object ->
                    object.root().text("apiVersion").equals(to.apiVersion())
                        ? object
                        : pruned(object.withType(to.apiVersion(), to.kind()).root(), schema))
            .toList();
  }

  private List<ApiObject> byWebhook(
      List<ApiObject> objects,
      CustomResourceVersion version,
      StructSchema schema,
      GroupVersionKind to) {
    List<ApiObject> converted = new ArrayList<>(objects);
    List<MapNode> sent = new ArrayList<>();
    List<Integer> places = new ArrayList<>();
    for (int i = 0; i < objects.size(); i++) {
      MapNode root = objects.get(i).root();
      if (isBare(root)) {
        converted.set(i, objects.get(i).withType(to.apiVersion(), to.kind()));
      } else if (!root.text("apiVersion").equals(to.apiVersion())) {
        sent.add(root);
        places.add(i);
      }
    }
    if (!sent.isEmpty()) {
      List<MapNode> received = webhook.convert(version.resource(), GroupVersion.of(to), sent);
      for (int i = 0; i < places.size(); i++) {
        converted.set(places.get(i), pruned(received.get(i), schema));
      }
    }
    return converted;
  }

  /** Whether an object has nothing but its type; no webhook is asked for it. */
  private static boolean isBare(MapNode root) {
    return root.size() == 2 && root.has("kind") && root.has("apiVersion");
  }

  private static ApiObject pruned(MapNode root, StructSchema schema) {
    Node tree = root;
    return new ApiObject(ObjectReader.tree(tree, schema, FieldValidation.IGNORE).root());
  }
}
