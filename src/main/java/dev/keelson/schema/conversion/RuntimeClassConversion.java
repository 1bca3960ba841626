package dev.keelson.schema.conversion;

import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.object.Node.Text;

/** RuntimeClasses of node.k8s.io/v1alpha1: what later versions have at the top was in a spec. */
final class RuntimeClassConversion {

  private RuntimeClassConversion() {}

  static MapNode toNew(MapNode old) {
    MapNode spec = old.map("spec");
    MapNode root = old.without("spec").with("handler", new Text(spec.text("runtimeHandler")));
    for (String field : new String[] {"overhead", "scheduling"}) {
      Node value = Edits.set(spec, field);
      root = value == null ? root : root.with(field, value);
    }
    return root;
  }
}
