package dev.keelson.controller.volume;

import dev.keelson.object.ApiObject;
import dev.keelson.object.Node.MapNode;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Edits of annotations. */
final class Annotations {

  private Annotations() {}

  /** The same object with an annotation; null removes it. */
  static ApiObject set(ApiObject object, String key, @Nullable String value) {
    Map<String, String> annotations = new LinkedHashMap<>(object.meta().annotations());
    if (value == null) {
      annotations.remove(key);
    } else {
      annotations.put(key, value);
    }
    return object.withMeta(
        annotations.isEmpty()
            ? object.meta().without("annotations")
            : object.meta().with("annotations", MapNode.ofTexts(annotations)));
  }
}
