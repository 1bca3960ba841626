package dev.keelson.schema.defaulting;

import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import java.util.List;
import java.util.Locale;

/** Defaults of a CustomResourceDefinition. */
final class CustomResourceRules {

  private CustomResourceRules() {}

  /** Objects are in the storage version, where the status does not say more. */
  static MapNode definition(MapNode definition) {
    MapNode status = definition.map("status");
    if (!status.items("storedVersions").isEmpty()) {
      return definition;
    }
    for (MapNode version : definition.map("spec").maps("versions")) {
      if (version.get("storage") == Node.Bool.TRUE) {
        return definition.with(
            "status", status.with("storedVersions", Node.texts(List.of(version.text("name")))));
      }
    }
    return definition;
  }

  /** The names that follow from the kind. */
  static MapNode spec(MapNode spec) {
    return Values.edited(spec, "names", CustomResourceRules::names);
  }

  private static MapNode names(MapNode names) {
    String kind = names.text("kind");
    return kind.isEmpty()
        ? names
        : Values.ifNoText(
            Values.ifNoText(names, "singular", kind.toLowerCase(Locale.ROOT)),
            "listKind",
            kind + "List");
  }
}
