package dev.keelson.schema.conversion;

import dev.keelson.object.Node;
import dev.keelson.object.Node.Int;
import dev.keelson.object.Node.MapNode;
import dev.keelson.object.Node.Text;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Ingresses of extensions/v1beta1 and networking.k8s.io/v1: a backend's service and port are two
 * fields in the old version and an object in the new one, the backend for everything else has
 * another name, and the old version may leave out a path's type.
 */
enum IngressConversion implements VersionConversion {
  INSTANCE;

  @Override
  public MapNode toNew(MapNode old) {
    return Edits.edited(
        old,
        "spec",
        spec ->
            paths(
                Edits.renamed(
                    Edits.edited(spec, "backend", IngressConversion::newBackend),
                    "backend",
                    "defaultBackend"),
                IngressConversion::newPath));
  }

  @Override
  public MapNode toOld(MapNode current) {
    return Edits.edited(
        current,
        "spec",
        spec ->
            paths(
                Edits.renamed(
                    Edits.edited(spec, "defaultBackend", IngressConversion::oldBackend),
                    "defaultBackend",
                    "backend"),
                path -> Edits.edited(path, "backend", IngressConversion::oldBackend)));
  }

  private static MapNode paths(MapNode spec, UnaryOperator<MapNode> edit) {
    return Edits.editedItems(
        spec,
        "rules",
        rule -> Edits.edited(rule, "http", http -> Edits.editedItems(http, "paths", edit)));
  }

  private static MapNode newPath(MapNode path) {
    MapNode typed =
        Edits.set(path, "pathType") == null
            ? path.with("pathType", new Text("ImplementationSpecific"))
            : path;
    return Edits.edited(typed, "backend", IngressConversion::newBackend);
  }

  private static MapNode newBackend(MapNode backend) {
    String name = backend.text("serviceName");
    Node port = Edits.set(backend, "servicePort");
    MapNode rest = backend.without("serviceName").without("servicePort");
    // port 0 without a name is how the old version writes that there is no service
    if (name.isEmpty() && (port == null || port.equals(new Int(0)))) {
      return rest;
    }
    MapNode service = MapNode.of("name", new Text(name));
    return rest.with("service", service.with("port", newPort(port)));
  }

  private static MapNode newPort(@Nullable Node port) {
    return switch (port) {
      case Text text when !text.value().isEmpty() -> MapNode.of("name", text);
      case Int number when number.value() != 0 -> MapNode.of("number", number);
      case null, default -> MapNode.EMPTY;
    };
  }

  private static MapNode oldBackend(MapNode backend) {
    MapNode rest = backend.without("service");
    if (!(backend.get("service") instanceof MapNode service)) {
      return rest;
    }
    MapNode port = service.map("port");
    Node number = port.get("number") instanceof Int set ? set : new Int(0);
    return rest.with("serviceName", new Text(service.text("name")))
        .with("servicePort", port.text("name").isEmpty() ? number : new Text(port.text("name")));
  }
}
